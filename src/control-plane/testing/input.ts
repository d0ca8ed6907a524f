// One managed cluster behind the tunnel, for tests: what the plan says of it.
import type { Certificate, Endpoint, KonnectivityPlan } from '../../plan/schema/index.ts';
import { type ControlPlaneSize, oneOfEach, type WorkloadInput } from '../components/index.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { LeafName } from '../pki/pki.ts';

const host = 'web.west.example.com';
const agentIP = '100.64.30.10';

const sampleEndpoint: Endpoint = {
  cluster: 'web',
  seed: 'west',
  datacenter: 'dc1',
  strategy: 'Tunneling',
  entry: 'split',
  namespace: 'cluster-web',
  externalName: host,
  apiServer: { host, port: 6443, sni: host },
  konnectivity: { host: `konnectivity-server.${host}`, port: 6443, sni: `konnectivity-server.${host}` },
  kubeconfigServer: `https://${host}:6443`,
  kubernetesService: { addresses: [agentIP], port: 6443 },
  apiServerFlags: {
    'endpoint-reconciler-type': 'none',
    'service-cluster-ip-range': '10.240.16.0/20',
    'external-hostname': host,
    'advertise-address': agentIP,
    'secure-port': '6443',
  },
};

const certificate = (name: string, dnsNames: string[], ips: string[]): Certificate => ({
  name,
  issuer: 'cluster-ca',
  issuedBy: 'the CA of the cluster',
  dnsNames,
  ips,
  place: 'seed/west/gateway',
  requirement: 'API-1',
  clusters: ['web'],
});

/** Of a cluster of this name, with one server. */
export const sampleKonnectivity = (name: string): KonnectivityPlan => ({
  server: {
    replicas: 1,
    agentPort: 8132,
    adminPort: 8133,
    healthPort: 8134,
    serverCount: 1,
    keepalive: '1m',
    tokenAudience: 'system:konnectivity-server',
    udsName: '/etc/konnectivity/konnectivity-server.socket',
  },
  agent: {
    replicas: null,
    host: `konnectivity-server.${name}`,
    port: 6443,
    keepalive: '1m',
    syncForever: false,
    viaProxy: false,
  },
});

export const sampleInput = (changes: Partial<ControlPlaneInput> = {}): ControlPlaneInput => ({
  cluster: 'web',
  kubernetesVersion: '1.36.3',
  endpoint: sampleEndpoint,
  konnectivity: sampleKonnectivity(host),
  certificates: {
    apiServer: certificate('apiserver-web', [host, 'kubernetes.default.svc'], ['10.240.16.1', '127.0.0.1', agentIP]),
    konnectivity: certificate('konnectivity-web', [`konnectivity-server.${host}`], ['127.0.0.1']),
  },
  network: { pods: ['172.25.0.0/16'], services: ['10.240.16.0/20'], dnsDomain: 'cluster.local' },
  size: oneOfEach,
  ...changes,
});

/** As if all certificates had been made, each with the same number, of a cluster that was made before there were defaults. */
export const workloadInput = (input: ControlPlaneInput, size: ControlPlaneSize = input.size): WorkloadInput => ({
  ...input,
  size,
  podSecurity: input.podSecurity ?? 'privileged',
  verifiesKubelets: false,
  marks: new Proxy({} as Record<LeafName, string>, { get: () => '01' }),
});
