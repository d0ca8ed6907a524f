// The certificates of one control plane: who signs each, whom it names, what it is good for.
import type { LeafOptions, Subject } from '../../pki/index.ts';
import type { ClusterRuntime, ServerNames } from '../cluster-runtime.ts';
import { workloadNames } from '../components/index.ts';
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

export function leavesOf(
  { certificates }: Pick<ControlPlaneInput, 'certificates'>,
  namesOf: ClusterRuntime['namesOf'],
): Readonly<Record<LeafName, Leaf>> {
  const { etcd, apiServer, controllerManager, scheduler } = workloadNames;
  return {
    // etcd dials itself with the certificate it serves.
    etcd: { authority: 'etcdCa', usage: 'both', subject: { commonName: 'etcd' }, ...together(namesOf(etcd)) },
    apiServer: server('kube-apiserver', certificates.apiServer, namesOf(apiServer)),
    konnectivity: server('konnectivity-server', certificates.konnectivity, namesOf(apiServer)),
    loopback: server('loopback', namesOf(controllerManager), namesOf(scheduler)),
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

const server = (commonName: string, ...names: readonly ServerNames[]): Leaf => ({
  authority: 'ca',
  usage: 'server',
  subject: { commonName },
  ...together(...names),
});

const together = (...names: readonly ServerNames[]): { dnsNames: string[]; ips: string[] } => ({
  dnsNames: [...new Set(names.flatMap(({ dnsNames }) => dnsNames))],
  ips: [...new Set(names.flatMap(({ ips }) => ips))],
});

const client = (subject: Subject): Leaf => ({ authority: 'ca', usage: 'client', subject });
