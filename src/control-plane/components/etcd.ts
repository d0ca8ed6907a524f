import type { ComponentSpec } from '../component.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { PkiFiles } from '../pki/pki.ts';
import { flagsOf, loopback } from './flags.ts';

/** Who the only member of the store is; a snapshot is restored for exactly this one. */
export function etcdMember({ ports }: Pick<ControlPlaneInput, 'ports'>): {
  readonly name: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
} {
  return {
    name: 'etcd',
    clientUrl: `https://${loopback}:${ports.etcdClient}`,
    peerUrl: `https://${loopback}:${ports.etcdPeer}`,
  };
}

export function etcd(input: ControlPlaneInput, pki: PkiFiles): ComponentSpec {
  const { name, clientUrl, peerUrl } = etcdMember(input);
  const metrics = `http://${loopback}:${input.ports.etcdMetrics}`;
  return {
    scope: `cluster/${input.cluster}`,
    name: 'etcd',
    program: { name: 'etcd' },
    args: flagsOf({
      name,
      'data-dir': input.home.etcd,
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `${name}=${peerUrl}`,
      'listen-metrics-urls': metrics,
      'cert-file': pki.etcd.cert,
      'key-file': pki.etcd.key,
      'trusted-ca-file': pki.etcdCa.cert,
      'client-cert-auth': true,
      'peer-cert-file': pki.etcd.cert,
      'peer-key-file': pki.etcd.key,
      'peer-trusted-ca-file': pki.etcdCa.cert,
      'peer-client-cert-auth': true,
      'tls-min-version': 'TLS1.2',
      'log-level': 'warn',
    }),
    directories: [input.home.etcd],
    // Says no while it has no room left, too.
    probe: { kind: 'http', url: `${metrics}/health` },
  };
}
