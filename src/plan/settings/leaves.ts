// Every setting that is inherited: where it stands in a document, and what holds when nobody sets it.
import type { Cluster, Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { DocumentLevel, DocumentOrigin } from './origin.ts';

/** The part of a spec that all four levels share. */
export type InheritedSpec = Pick<
  Cluster['spec'],
  'exposeStrategy' | 'workers' | 'network' | 'limits' | 'konnectivity' | 'egress' | 'proxy' | 'registry' | 'podSecurity'
>;
/** What a default may depend on. */
export interface DefaultFacts {
  readonly ipFamily: 'IPv4' | 'IPv4+IPv6';
  readonly offers: readonly ('split' | 'single')[];
  readonly hasProxy: boolean;
  readonly kubernetesMinor: number;
}
export interface Leaf {
  readonly key: string;
  readonly read: (spec: InheritedSpec) => unknown;
  readonly fallback: (facts: DefaultFacts) => unknown;
}
export interface Level {
  readonly kind: DocumentLevel;
  readonly name: string;
  readonly spec: InheritedSpec;
}
/** `key` as in network.pods. */
export const fieldIn = ({ kind, name }: Level, key: string): DocumentOrigin => ({
  level: kind,
  name,
  field: `spec.${key}`,
});

const leaf = (key: string, read: Leaf['read'], fallback: Leaf['fallback']): Leaf => ({ key, read, fallback });
const fixed = (value: unknown) => (): unknown => value;
const unset = (): unknown => undefined;

// Frozen lists, so that one default is one object in ten thousand plans.
const podNetworks = { IPv4: ['172.25.0.0/16'], 'IPv4+IPv6': ['172.25.0.0/16', 'fd01::/48'] } as const;
const serviceNetworks = { IPv4: ['10.240.16.0/20'], 'IPv4+IPv6': ['10.240.16.0/20', 'fd02::/108'] } as const;

/** kube-proxy's nftables mode is the default from Kubernetes 1.35 on. */
const nftablesMinor = 35;

export const leaves: readonly Leaf[] = [
  leaf('exposeStrategy', (s) => s.exposeStrategy, fixed('NodePort')),
  leaf(
    'workers.entry',
    (s) => s.workers?.entry,
    (f) => (f.offers.includes('split') ? 'split' : 'single'),
  ),
  leaf('workers.route', (s) => s.workers?.route, fixed('direct')),
  leaf('workers.agent', (s) => s.workers?.agent, fixed('causeway')),
  leaf('network.ipFamily', (s) => s.network?.ipFamily, fixed('IPv4')),
  leaf(
    'network.pods',
    (s) => s.network?.pods,
    (f) => podNetworks[f.ipFamily],
  ),
  leaf(
    'network.services',
    (s) => s.network?.services,
    (f) => serviceNetworks[f.ipFamily],
  ),
  leaf('network.dnsDomain', (s) => s.network?.dnsDomain, fixed('cluster.local')),
  leaf('network.nodeLocalDNS', (s) => s.network?.nodeLocalDNS, fixed('169.254.20.10')),
  leaf('network.agentIP', (s) => s.network?.agentIP, fixed('100.64.30.10')),
  leaf('network.cni', (s) => s.network?.cni, fixed('cilium')),
  leaf(
    'network.proxyMode',
    (s) => s.network?.proxyMode,
    (f) => (f.kubernetesMinor >= nftablesMinor ? 'nftables' : 'ipvs'),
  ),
  leaf('limits.allowedSourceRanges', (s) => s.limits?.allowedSourceRanges, unset),
  // Far above what a cluster of a thousand nodes needs, and little enough that one cluster does not take a gateway alone.
  leaf('limits.maxConnections', (s) => s.limits?.maxConnections, fixed(20_000)),
  leaf('limits.connectionsPerSecond', (s) => s.limits?.connectionsPerSecond, fixed(1000)),
  leaf('limits.idleTimeout', (s) => s.limits?.idleTimeout, fixed('1h')),
  leaf('limits.halfClosedTimeout', (s) => s.limits?.halfClosedTimeout, fixed('1m')),
  leaf('konnectivity.replicas', (s) => s.konnectivity?.replicas, fixed(2)),
  leaf('konnectivity.agents', (s) => s.konnectivity?.agents, fixed(2)),
  leaf('konnectivity.keepalive', (s) => s.konnectivity?.keepalive, fixed('1m')),
  leaf(
    'egress.mode',
    (s) => s.egress?.mode,
    (f) => (f.hasProxy ? 'proxy' : 'direct'),
  ),
  leaf('egress.closed', (s) => s.egress?.closed, unset),
  leaf('registry', (s) => s.registry, unset),
  // What holds then is known by the cluster: it keeps what it was made with.
  leaf('podSecurity', (s) => s.podSecurity, unset),
];

export const levelOf = (document: Cluster | Datacenter | Seed | Platform): Level => ({
  kind: document.kind,
  name: document.metadata.name,
  spec: document.spec,
});
