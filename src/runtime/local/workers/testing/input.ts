// A worker side as a plan describes it, for tests.
import { sampleKonnectivity } from '../../../../control-plane/testing/input.ts';
import { createAuthority, issueServer, validFor } from '../../../../pki/index.ts';
import type { WorkerInput } from '../worker-input.ts';

const name = 'shop.west.example';

export const sampleInput = (changes: Partial<WorkerInput> = {}): WorkerInput => ({
  cluster: 'shop',
  nodes: 2,
  kubernetesVersion: '1.36.3',
  endpoint: {
    cluster: 'shop',
    seed: 'west',
    datacenter: 'west',
    strategy: 'Tunneling',
    entry: 'split',
    namespace: 'cluster-shop',
    externalName: name,
    apiServer: { host: name, port: 6443, sni: name },
    konnectivity: { host: `konnectivity-server.${name}`, port: 6443, sni: `konnectivity-server.${name}` },
    tunnel: {
      host: 'tunnel.west.example',
      port: 8088,
      sni: 'tunnel.west.example',
      authority: 'apiserver-external.cluster-shop.svc.cluster.local:443',
      tls: true,
      authentication: 'token',
      agentIP: '100.64.30.10',
    },
    kubeconfigServer: `https://${name}:6443`,
    kubernetesService: { addresses: ['100.64.30.10'], port: 6443 },
    apiServerFlags: {},
  },
  konnectivity: sampleKonnectivity(name),
  reachability: {
    kubelet: { by: 'direct', target: `${name}:6443`, reason: '' },
    konnectivityAgent: { by: 'direct', target: `konnectivity-server.${name}:6443`, reason: '' },
    nodeAgent: { by: 'direct', target: 'tunnel.west.example:8088', reason: '' },
    pods: { by: 'node-agent', target: '100.64.30.10:6443', reason: '' },
  },
  networks: ['127.40.0.0/24'],
  pods: ['172.25.0.0/16'],
  gateway: { address: '127.50.0.2', authorityFile: '/gateway-ca.crt' },
  credentials: async () => ({
    ca: 'authority',
    user: { token: 'node' },
    konnectivityToken: 'konnectivity',
    expiresAt: Date.now() + 3_600_000,
  }),
  kubeletCertificate: async (address) => {
    const validity = validFor(new Date(), 1);
    return issueServer(await createAuthority('kubelets', validity), [address], validity);
  },
  tunnelToken: async () => ({ token: 'tunnel', expiresAt: Date.now() + 3_600_000 }),
  ...changes,
});

/** The same, with a proxy as the only way out. */
export const behindProxy = (): WorkerInput => {
  const input = sampleInput();
  const { kubelet, konnectivityAgent, nodeAgent, pods } = input.reachability;
  return {
    ...input,
    proxy: { url: 'http://127.0.0.1:3128' },
    reachability: {
      kubelet: { ...kubelet, by: 'proxy-environment' },
      konnectivityAgent: { ...konnectivityAgent, by: 'proxy-environment' },
      ...(nodeAgent && { nodeAgent: { ...nodeAgent, by: 'proxy-option' } }),
      pods,
    },
  };
};
