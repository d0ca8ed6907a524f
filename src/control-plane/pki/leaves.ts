// The certificates of one control plane: who signs each, whom it names, what it is good for.
import type { LeafOptions, Subject } from '../../pki/certificates.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { AuthorityName, LeafName } from './pki.ts';

export interface Leaf extends Pick<LeafOptions, 'subject' | 'usage' | 'dnsNames' | 'ips'> {
  readonly authority: AuthorityName;
  /** Its user notices a new file only after minutes, so a shorter life than this would be a gap. */
  readonly leastLifeMs?: number;
}

/** Of the user that may do everything, before any rule says so. Only this process has it. */
export const mastersGroup = 'system:masters';

/** client-go looks at its files every five minutes, and a third of the life is left then. */
const slowReader = { leastLifeMs: 30 * 60_000 };

const here = { dnsNames: ['localhost'], ips: ['127.0.0.1', '::1'] };

export function leavesOf({ certificates }: Pick<ControlPlaneInput, 'certificates'>): Readonly<Record<LeafName, Leaf>> {
  return {
    // etcd dials itself with the certificate it serves.
    etcd: { authority: 'etcdCa', usage: 'both', subject: { commonName: 'etcd' }, ...here },
    apiServer: server('kube-apiserver', certificates.apiServer),
    konnectivity: server('konnectivity-server', certificates.konnectivity),
    loopback: server('loopback', { dnsNames: [], ips: [] }),
    apiServerEtcd: { ...client({ commonName: 'kube-apiserver-etcd-client' }), authority: 'etcdCa' },
    backup: { ...client({ commonName: 'causeway-backup' }), authority: 'etcdCa' },
    apiServerKubelet: { ...client({ commonName: 'kube-apiserver-kubelet-client' }), ...slowReader },
    frontProxyClient: { ...client({ commonName: 'front-proxy-client' }), authority: 'frontProxyCa' },
    internal: client({ commonName: 'causeway', organization: mastersGroup }),
    controllerManager: { ...client({ commonName: 'system:kube-controller-manager' }), ...slowReader },
    scheduler: { ...client({ commonName: 'system:kube-scheduler' }), ...slowReader },
    konnectivityServer: { ...client({ commonName: 'system:konnectivity-server' }), ...slowReader },
  };
}

const server = (commonName: string, names: { readonly dnsNames: string[]; readonly ips: string[] }): Leaf => ({
  authority: 'ca',
  usage: 'server',
  subject: { commonName },
  dnsNames: [...new Set([...names.dnsNames, ...here.dnsNames])],
  ips: [...new Set([...names.ips, ...here.ips])],
});

const client = (subject: Subject): Leaf => ({ authority: 'ca', usage: 'client', subject });
