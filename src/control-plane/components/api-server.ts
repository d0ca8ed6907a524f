import { pkiRefs as pki } from '../pki/pki.ts';
import {
  bindRef,
  type Container,
  configRef,
  type Mount,
  peerRef,
  portRef,
  text,
  volumeRef,
  type Workload,
  withSecretMounts,
} from '../workload.ts';
import { admission, auditPolicy, authentication, egressSelector } from './api-server-files.ts';
import { type Flags, flagsOf, leastTls } from './flags.ts';
import { gatewayPeer, type WorkloadInput, workloadNames } from './input.ts';
import { konnectivityServer, konnectivitySocket, socketVolume } from './konnectivity.ts';

const logVolume = 'logs';
const files = {
  authentication: 'authentication.json',
  egress: 'egress-selector.json',
  audit: 'audit-policy.json',
  admission: 'admission.json',
} as const;

/** The konnectivity server is its sidecar: they share a socket. */
export const apiServer = (input: WorkloadInput): Workload => ({
  name: workloadNames.apiServer,
  replicas: input.konnectivity.server.replicas,
  stateful: false,
  containers: [apiServerContainer(input), konnectivityServer(input)].map(withSecretMounts),
  volumes: [
    { name: logVolume, kind: 'logs' },
    { name: socketVolume, kind: 'sockets' },
  ],
  ingress: [
    { port: 'https', from: [gatewayPeer, workloadNames.controllerManager, workloadNames.scheduler] },
    { port: 'konnectivity', from: [gatewayPeer] },
  ],
});

const apiServerContainer = (input: WorkloadInput): Container => ({
  name: 'kube-apiserver',
  program: { name: 'kube-apiserver', version: input.kubernetesVersion },
  args: flagsOf({
    // Otherwise it looks for an address of its machine, and does not start where it finds none.
    'advertise-address': bindRef('https'),
    // What the plan says, except where it is a public port: that one is the gateway's.
    ...input.endpoint.apiServerFlags,
    'bind-address': bindRef('https'),
    'secure-port': portRef('https'),
    ...storage,
    ...identity(input),
    ...(enforcesPodSecurity(input) ? { 'admission-control-config-file': configRef(files.admission) } : {}),
    ...outwards,
    ...(input.verifiesKubelets ? { 'kubelet-certificate-authority': pki.kubeletCa.cert } : {}),
    ...audit,
    // Otherwise it waits a minute for watches, which never end by themselves.
    'shutdown-send-retry-after': true,
    profiling: false,
  }),
  ports: [{ name: 'https', number: 6443 }],
  mounts: [
    { kind: 'volume', name: logVolume },
    ...configsOf(input),
    // The konnectivity server makes the socket.
    { kind: 'volume', name: socketVolume, readOnly: true },
  ],
  needs: [workloadNames.etcd],
  probes: {
    ready: { kind: 'https', port: 'https', path: '/readyz', ca: pki.ca.cert },
    // Started anew it would not reach a store that is away either, and all of its clients would come at once.
    live: { kind: 'https', port: 'https', path: '/livez?exclude=etcd', ca: pki.ca.cert },
  },
  resources: { cpu: '250m', memory: '512Mi' },
  // It lets open requests end.
  stopMs: 20_000,
});

const configsOf = (input: WorkloadInput): Mount[] => [
  { kind: 'config', name: files.authentication, content: { json: authentication(input) }, reloads: true },
  { kind: 'config', name: files.egress, content: { json: egressSelector(konnectivitySocket) } },
  { kind: 'config', name: files.audit, content: { json: auditPolicy } },
  ...(enforcesPodSecurity(input)
    ? [{ kind: 'config', name: files.admission, content: { json: admission(input.podSecurity) } } as const]
    : []),
];

/** "privileged" is what holds without a word. */
const enforcesPodSecurity = ({ podSecurity }: WorkloadInput): boolean => podSecurity !== 'privileged';

const storage: Flags = {
  'etcd-servers': text`https://${peerRef(workloadNames.etcd, 'client')}`,
  'etcd-cafile': pki.etcdCa.cert,
  'etcd-certfile': pki.apiServerEtcd.cert,
  'etcd-keyfile': pki.apiServerEtcd.key,
  'encryption-provider-config': pki.encryption,
  'encryption-provider-config-automatic-reload': true,
};

/** In every token of a service account. Most clusters have the same one: their keys tell them apart. */
export const serviceAccountIssuer = ({ dnsDomain }: WorkloadInput['network']): string =>
  `https://kubernetes.default.svc.${dnsDomain}`;

const identity = ({ network }: WorkloadInput): Flags => ({
  'tls-cert-file': pki.apiServer.cert,
  'tls-private-key-file': pki.apiServer.key,
  'tls-min-version': leastTls,
  'client-ca-file': pki.ca.cert,
  'authentication-config': configRef(files.authentication),
  'enable-bootstrap-token-auth': true,
  'authorization-mode': ['Node', 'RBAC'],
  'enable-admission-plugins': ['NodeRestriction'],
  'allow-privileged': true,
  'service-account-issuer': serviceAccountIssuer(network),
  'service-account-key-file': pki.serviceAccount.publicKey,
  'service-account-signing-key-file': pki.serviceAccount.privateKey,
});

/** To kubelets and to aggregated APIs, which it reaches only through konnectivity. */
const outwards: Flags = {
  'egress-selector-config-file': configRef(files.egress),
  'kubelet-client-certificate': pki.apiServerKubelet.cert,
  'kubelet-client-key': pki.apiServerKubelet.key,
  'kubelet-preferred-address-types': ['InternalIP', 'ExternalIP', 'Hostname'],
  'requestheader-client-ca-file': pki.frontProxyCa.cert,
  'requestheader-allowed-names': ['front-proxy-client'],
  'requestheader-username-headers': ['X-Remote-User'],
  'requestheader-group-headers': ['X-Remote-Group'],
  'requestheader-extra-headers-prefix': ['X-Remote-Extra-'],
  'proxy-client-cert-file': pki.frontProxyClient.cert,
  'proxy-client-key-file': pki.frontProxyClient.key,
};

const audit: Flags = {
  'audit-policy-file': configRef(files.audit),
  'audit-log-path': volumeRef(logVolume, 'audit.log'),
  // Megabytes, files, days.
  'audit-log-maxsize': 20,
  'audit-log-maxbackup': 5,
  'audit-log-maxage': 30,
};
