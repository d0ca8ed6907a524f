// How the worker's own clients find the API server: by its name, through the gateway.
import type { WorkerParts } from './parts.ts';

export const kubeconfig = (
  { endpoint, input }: WorkerParts,
  user: { readonly token: string } | { readonly tokenFile: string },
): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'worker',
    contexts: [{ name: 'worker', context: { cluster: 'worker', user: 'worker' } }],
    users: [{ name: 'worker', user }],
    clusters: [
      {
        name: 'worker',
        cluster: {
          server: endpoint.kubeconfigServer,
          'certificate-authority-data': Buffer.from(input.credentials.clusterCa).toString('base64'),
        },
      },
    ],
  });
