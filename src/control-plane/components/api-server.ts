import path from 'node:path';
import type { ComponentSpec, SpecFile } from '../component.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { PkiFiles } from '../pki/pki.ts';
import { auditPolicy, authentication, egressSelector } from './api-server-files.ts';
import { etcdMember } from './etcd.ts';
import { type Flags, flagsOf, leastTls, loopback } from './flags.ts';

export const apiServerUrl = ({ ports }: Pick<ControlPlaneInput, 'ports'>): string =>
  `https://${loopback}:${ports.apiServer}`;

export function apiServer(input: ControlPlaneInput, pki: PkiFiles): ComponentSpec {
  const files = filesOf(input);
  return {
    scope: `cluster/${input.cluster}`,
    name: 'kube-apiserver',
    program: { name: 'kube-apiserver', version: input.kubernetesVersion },
    args: flagsOf({
      // Otherwise it looks for an address of this machine, and does not start where it finds none.
      'advertise-address': loopback,
      // What the plan says, except where it is a public port: that one is the gateway's.
      ...input.endpoint.apiServerFlags,
      'bind-address': loopback,
      'secure-port': input.ports.apiServer,
      ...storage(input, pki),
      ...identity(input, pki, files),
      ...outwards(pki, files),
      ...audit(input, files),
      // Otherwise it waits a minute for watches, which never end by themselves.
      'shutdown-send-retry-after': true,
      profiling: false,
    }),
    files: Object.values(files),
    directories: [input.home.logs, input.home.config],
    needs: ['etcd'],
    probe: { kind: 'http', url: `${apiServerUrl(input)}/readyz`, tls: { ca: pki.ca.cert } },
    // It lets open requests end.
    stopMs: 20_000,
  };
}

type Files = Readonly<Record<'authentication' | 'egress' | 'audit', SpecFile>>;

function filesOf(input: ControlPlaneInput): Files {
  const file = (name: string, content: object): SpecFile => ({
    path: path.join(input.home.config, name),
    text: `${JSON.stringify(content, undefined, 2)}\n`,
  });
  return {
    authentication: { ...file('authentication.json', authentication(input)), reloads: true },
    egress: file('egress-selector.json', egressSelector(input)),
    audit: file('audit-policy.json', auditPolicy),
  };
}

const storage = (input: ControlPlaneInput, pki: PkiFiles): Flags => ({
  'etcd-servers': etcdMember(input).clientUrl,
  'etcd-cafile': pki.etcdCa.cert,
  'etcd-certfile': pki.apiServerEtcd.cert,
  'etcd-keyfile': pki.apiServerEtcd.key,
  'encryption-provider-config': pki.encryption,
  'encryption-provider-config-automatic-reload': true,
});

const identity = ({ network }: ControlPlaneInput, pki: PkiFiles, files: Files): Flags => ({
  'tls-cert-file': pki.apiServer.cert,
  'tls-private-key-file': pki.apiServer.key,
  'tls-min-version': leastTls,
  'client-ca-file': pki.ca.cert,
  'authentication-config': files.authentication.path,
  'enable-bootstrap-token-auth': true,
  'authorization-mode': ['Node', 'RBAC'],
  'enable-admission-plugins': ['NodeRestriction'],
  'allow-privileged': true,
  'service-account-issuer': `https://kubernetes.default.svc.${network.dnsDomain}`,
  'service-account-key-file': pki.serviceAccount.publicKey,
  'service-account-signing-key-file': pki.serviceAccount.privateKey,
});

/** To kubelets and to aggregated APIs, which it reaches only through konnectivity. */
const outwards = (pki: PkiFiles, files: Files): Flags => ({
  'egress-selector-config-file': files.egress.path,
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
});

const audit = ({ home }: ControlPlaneInput, files: Files): Flags => ({
  'audit-policy-file': files.audit.path,
  'audit-log-path': path.join(home.logs, 'audit.log'),
  // Megabytes, files, days.
  'audit-log-maxsize': 20,
  'audit-log-maxbackup': 5,
  'audit-log-maxage': 30,
});
