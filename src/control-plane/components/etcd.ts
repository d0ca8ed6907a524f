import { pkiRefs } from '../pki/pki.ts';
import { listenRef, selfRef, text, volumeRef, type Workload, withSecretMounts } from '../workload.ts';
import { flagsOf } from './flags.ts';
import { type WorkloadInput, workloadNames } from './input.ts';

/** Of the plain HTTP port: it is asked by the runtime, and has no data. */
const metrics = 'metrics';

export function etcd({ size }: WorkloadInput): Workload {
  return {
    name: workloadNames.etcd,
    replicas: size.etcd,
    stateful: true,
    containers: [withSecretMounts(container)],
    volumes: [{ name: 'data', kind: 'data', size: '8Gi' }],
    ingress: [
      { port: 'client', from: [workloadNames.apiServer] },
      { port: 'peer', from: [workloadNames.etcd] },
    ],
  };
}

const container: Workload['containers'][number] = {
  name: 'etcd',
  program: { name: 'etcd' },
  args: flagsOf({
    name: { ref: 'replica' },
    'data-dir': volumeRef('data'),
    'listen-client-urls': text`https://${listenRef('client')}`,
    'advertise-client-urls': text`https://${selfRef('client')}`,
    'listen-peer-urls': text`https://${listenRef('peer')}`,
    'initial-advertise-peer-urls': text`https://${selfRef('peer')}`,
    'initial-cluster': { ref: 'members', port: 'peer', scheme: 'https' },
    'listen-metrics-urls': text`http://${listenRef(metrics)}`,
    'cert-file': pkiRefs.etcd.cert,
    'key-file': pkiRefs.etcd.key,
    'trusted-ca-file': pkiRefs.etcdCa.cert,
    'client-cert-auth': true,
    'peer-cert-file': pkiRefs.etcd.cert,
    'peer-key-file': pkiRefs.etcd.key,
    'peer-trusted-ca-file': pkiRefs.etcdCa.cert,
    'peer-client-cert-auth': true,
    'tls-min-version': 'TLS1.2',
    'log-level': 'warn',
  }),
  ports: [
    { name: 'client', number: 2379 },
    { name: 'peer', number: 2380 },
    { name: metrics, number: 2381 },
  ],
  mounts: [{ kind: 'volume', name: 'data' }],
  probes: {
    // Says no while it has no leader or no room left, too.
    ready: { kind: 'http', port: metrics, path: '/health' },
    live: { kind: 'http', port: metrics, path: '/livez' },
  },
  resources: { cpu: '100m', memory: '256Mi' },
};
