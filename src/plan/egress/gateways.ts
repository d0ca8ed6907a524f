// Where the proxy is the only way to a control plane, the names of the gateway belong on the allow-list, too.
import { getOrAdd } from '../../core/collections.ts';
import type { Seed } from '../../model/schema/index.ts';
import { memoInside } from '../cache.ts';
import { type ClusterContext, type PlanContext, seedDomainOf } from '../context.ts';
import { externalNameOf } from '../endpoints.ts';
import { listPerCluster } from '../per-cluster.ts';
import { workerNetworksIn } from '../places/worker-networks.ts';
import { gatewayPortsOf, tunnelPortOf, workerPortOf } from '../ports.ts';
import { isPrepared, preparedIn } from '../prepared.ts';
import type { EgressEntry } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';
import { egressSourceOf } from './sources.ts';

/** Entries of this component are ways to our own control planes, not downloads. */
export const gatewayComponent = 'gateway';

interface Dialled {
  /** Nothing: clusters to come. */
  readonly cluster: string | undefined;
  readonly place: string;
  readonly host: string;
  readonly ports: readonly number[];
  readonly reason: string;
}
const nowhere: { readonly dialled: Dialled | undefined } = { dialled: undefined };

const dialledOf = memoInside('dialled', (c: ClusterContext): { readonly dialled: Dialled | undefined } =>
  c.effective.route === 'proxy' ? { dialled: dialled(c) } : nowhere,
);

/** By cluster, in the order of the clusters; most dial nothing through a proxy. */
export const dialledPerCluster = listPerCluster(dialledOf);

function dialled(c: ClusterContext): Dialled | undefined {
  const host = c.effective.exposeStrategy === 'LoadBalancer' ? externalNameOf(c) : `*.${c.seedDomain}`;
  if (host === null) return undefined;
  const ports = portsOf(c);
  return { cluster: c.name, place: egressSourceOf(c).place, host, ports, reason: reasonOf(c.effective, c.seed) };
}

/** Node ports are not known before a cluster exists, and neither is a load balancer of its own. */
export const preparedDialled = (ctx: PlanContext): { readonly dialled: Dialled }[] =>
  ctx.model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined || !isPrepared(seed)) return [];
    const effective = preparedIn(ctx, seed, datacenter);
    if (effective.route !== 'proxy' || effective.exposeStrategy !== 'Tunneling') return [];
    const { sni, tunnel, single } = gatewayPortsOf(seed);
    const ports = effective.entry === 'single' ? [single] : [...new Set([sni, tunnel])];
    const shared = { cluster: undefined, host: `*.${seedDomainOf(seed, ctx.domain)}`, ports };
    const reason = reasonOf(effective, seed);
    return workerNetworksIn(datacenter).map(({ place }) => ({ dialled: { ...shared, place, reason } }));
  });

function portsOf(c: ClusterContext): readonly number[] {
  if (c.effective.exposeStrategy === 'Tunneling') return [...new Set([workerPortOf(c), tunnelPortOf(c)])];
  return c.nodePorts === undefined ? [] : [c.nodePorts.apiServer, c.nodePorts.konnectivity];
}

const reasonOf = ({ exposeStrategy }: Effective, seed: Seed): string =>
  exposeStrategy === 'LoadBalancer'
    ? 'Workers reach the load balancer of their control plane only through the proxy (CONNECT).'
    : `Workers reach their control planes at the gateway of seed ${seed.metadata.name} only through the proxy (CONNECT).`;

interface Draft {
  readonly first: Dialled;
  readonly port: number;
  readonly places: Set<string>;
  readonly clusters: string[];
}

/** One entry per host and port, because some workers may use the split ports of a gateway and others the single one. */
export function gatewayEntries(perCluster: readonly { readonly dialled: Dialled | undefined }[]): EgressEntry[] {
  const drafts = new Map<string, Draft>();
  for (const { dialled: first } of perCluster) {
    if (first === undefined) continue;
    for (const port of first.ports) {
      const draft = getOrAdd(drafts, `${first.host} ${port}`, () => ({
        first,
        port,
        places: new Set<string>(),
        clusters: [],
      }));
      draft.places.add(first.place);
      if (first.cluster !== undefined) draft.clusters.push(first.cluster);
    }
  }
  return [...drafts.values()].map(entryOf);
}

const entryOf = ({ first, port, places, clusters }: Draft): EgressEntry => ({
  host: first.host,
  ports: [port],
  paths: [],
  images: [],
  component: gatewayComponent,
  from: [...places].sort(),
  status: 'active',
  replacedBy: [],
  reason: first.reason,
  requirement: 'PRT-8',
  clusters,
});
