// The konnectivity server beside the API server. Which program that is, is chosen here and nowhere else.
import { kubeconfigContent } from '../kubeconfig.ts';
import { pkiRefs as pki } from '../pki/pki.ts';
import { bindRef, type Container, configRef, peerRef, portRef, text, volumeRef } from '../workload.ts';
import { flagsOf } from './flags.ts';
import { type WorkloadInput, workloadNames } from './input.ts';

/** Whose tokens are believed; bootstrap objects make it, and workers are given its tokens. */
export const konnectivityAccount = { namespace: 'kube-system', name: 'konnectivity-agent' } as const;

export const socketVolume = 'konnectivity';
/** Between API server and konnectivity server. */
export const konnectivitySocket = volumeRef(socketVolume, 'konnectivity-server.socket');

export const apiServerUrl = text`https://${peerRef(workloadNames.apiServer, 'https')}`;

type KonnectivityEngine = (input: WorkloadInput) => Container;

export const konnectivityServer: KonnectivityEngine = (input) => engines.upstream(input);

const engines = { upstream } satisfies Record<string, KonnectivityEngine>;

const kubeconfig = 'konnectivity-server.kubeconfig';

function upstream({ konnectivity: { server }, marks }: WorkloadInput): Container {
  return {
    name: 'konnectivity-server',
    program: { name: 'konnectivity-server' },
    args: flagsOf({
      mode: 'grpc',
      'uds-name': konnectivitySocket,
      'server-port': 0,
      'agent-bind-address': bindRef('konnectivity'),
      'agent-port': portRef('konnectivity'),
      'cluster-cert': pki.konnectivity.cert,
      'cluster-key': pki.konnectivity.key,
      'agent-namespace': konnectivityAccount.namespace,
      'agent-service-account': konnectivityAccount.name,
      'authentication-audience': server.tokenAudience,
      kubeconfig: configRef(kubeconfig),
      'admin-bind-address': bindRef('admin'),
      'admin-port': portRef('admin'),
      'health-bind-address': bindRef('health'),
      'health-port': portRef('health'),
      'server-count': server.serverCount,
      'keepalive-time': server.keepalive,
      'frontend-keepalive-time': server.keepalive,
      'xfr-channel-size': 150,
      v: 1,
    }),
    // It never reads its certificate again: with another one it is another container.
    restartOn: { CERTIFICATE: marks.konnectivity },
    ports: [
      { name: 'konnectivity', number: server.agentPort },
      { name: 'admin', number: server.adminPort },
      { name: 'health', number: server.healthPort },
    ],
    mounts: [
      {
        kind: 'config',
        name: kubeconfig,
        content: kubeconfigContent(apiServerUrl, pki.ca.cert, pki.konnectivityServer),
      },
      { kind: 'volume', name: socketVolume },
    ],
    after: [workloadNames.apiServer],
    probes: {
      // Not /readyz, which wants an agent: agents come only to one that is ready.
      ready: { kind: 'http', port: 'health', path: '/healthz' },
      live: { kind: 'http', port: 'health', path: '/healthz' },
    },
    resources: { cpu: '20m', memory: '64Mi' },
  };
}
