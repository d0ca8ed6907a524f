// Joins the documents: each cluster with its datacenter, seed, settings and allocations.
// A cluster whose inputs did not change keeps its context object, and with it everything that was computed from it.
import { getOrAdd } from '../core/collections.ts';
import { byName } from '../core/names.ts';
import type { Allocations } from '../model/index.ts';
import type { Cluster, Datacenter, Model, Platform, Seed } from '../model/schema/index.ts';
import { planAddresses } from './addresses/index.ts';
import { newCache, newDerived, type PlanCache, slot } from './cache.ts';
import { type ClusterContext, type PlanContext, seedDomainOf } from './context.ts';
import { servicePort } from './ports.ts';
import { kubernetesRuntime, type Runtime } from './runtime.ts';
import { clusterSettings } from './settings/index.ts';
import { limited } from './settings/limited.ts';
import {
  type Allocated,
  allocatedTo,
  ingressTarget,
  type SeedAllocations,
  sameTexts,
  seedAllocationsOf,
} from './targets.ts';

type Named = { readonly metadata: { readonly name: string } };
/** A cluster with all that does not depend on other clusters. */
type Joined = Pick<ClusterContext, 'cluster' | 'datacenter' | 'seed' | 'runtime' | 'effective' | 'settings'>;

export function buildContext(
  given: Model,
  allocations: Allocations,
  runtime: Runtime = kubernetesRuntime,
  cache: PlanCache = newCache(),
): PlanContext {
  const model = sortedModel(given);
  const seeds = keyedByName(model.seeds);
  const datacenters = keyedByName(model.datacenters);
  const joined = join(cache, model, seeds, datacenters, runtime);
  const addresses = planAddresses(cache, { model, allocations, located: joined });
  const seedAllocations = seedAllocationsOf(cache, model, addresses);
  const clusters = joined.map((one) =>
    contextOf(cache, model.platform, one, seedAllocations.get(one.seed) as SeedAllocations),
  );
  return {
    cache,
    model,
    allocations,
    domain: model.platform.spec.domain,
    seeds,
    datacenters,
    clusters,
    clustersOfSeed: groupBy(clusters, (c) => c.seed.metadata.name),
    clustersOfDatacenter: groupBy(clusters, (c) => c.datacenter.metadata.name),
    ingress: ingressTarget(cache, model, addresses),
    gateways: new Map([...seedAllocations].map(([seed, { gateway }]) => [seed.metadata.name, gateway])),
    addresses,
  };
}

const keyedByName = <Document extends Named>(documents: readonly Document[]): ReadonlyMap<string, Document> =>
  new Map(documents.map((document) => [document.metadata.name, document]));

/** The last context of a cluster, and what its seed had then. */
interface Known {
  readonly context: ClusterContext;
  readonly seedAllocations: SeedAllocations;
}
const lastOf = slot<Cluster, Known>();

function join(
  cache: PlanCache,
  model: Model,
  seeds: ReadonlyMap<string, Seed>,
  datacenters: ReadonlyMap<string, Datacenter>,
  runtime: Runtime,
): readonly Joined[] {
  const seedOf = new Map(model.datacenters.map((datacenter) => [datacenter, seeds.get(datacenter.spec.seed)]));
  const joined: Joined[] = [];
  for (const cluster of model.clusters) {
    const last = lastOf.get(cache, cluster)?.context;
    // Settings follow from the four documents and the runtime.
    const isSame = last?.platform === model.platform && last.runtime === runtime;
    if (last !== undefined && isSame && seedOf.get(last.datacenter) === last.seed) {
      joined.push(last);
      continue;
    }
    const datacenter = datacenters.get(cluster.spec.datacenter);
    const seed = datacenter === undefined ? undefined : seedOf.get(datacenter);
    if (datacenter === undefined || seed === undefined) continue;
    const inherited = clusterSettings({ cache, model }, seed, datacenter, cluster);
    const { effective, settings } = limited(cache, inherited, cluster, runtime);
    joined.push({ cluster, datacenter, seed, runtime, effective, settings });
  }
  return joined;
}

function contextOf(
  cache: PlanCache,
  platform: Platform,
  joined: Joined,
  seedAllocations: SeedAllocations,
): ClusterContext {
  const last = lastOf.get(cache, joined.cluster);
  const isSame = last !== undefined && last.context === joined;
  if (isSame && last.seedAllocations === seedAllocations) return last.context;
  const allocated = allocatedTo(cache, joined.cluster, joined, seedAllocations);
  const context =
    isSame && sameAllocated(last.context, allocated) ? last.context : newContext(cache, platform, joined, allocated);
  lastOf.set(cache, joined.cluster, { context, seedAllocations });
  return context;
}

const sameAllocated = (old: Allocated, now: Allocated): boolean =>
  old.gateway === now.gateway &&
  old.nodePorts?.apiServer === now.nodePorts?.apiServer &&
  old.nodePorts?.konnectivity === now.nodePorts?.konnectivity &&
  sameTexts(old.ownAddresses, now.ownAddresses);

function newContext(cache: PlanCache, platform: Platform, joined: Joined, allocated: Allocated): ClusterContext {
  const { cluster, datacenter, seed, runtime, effective, settings } = joined;
  const { gateway, nodePorts, ownAddresses } = allocated;
  const seedDomain = seedDomainOf(seed, platform.spec.domain);
  const name = cluster.metadata.name;
  const namespace = `cluster-${name}`;
  const hostName = `${name}.${seedDomain}`;
  return {
    name,
    platform,
    cluster,
    datacenter,
    seed,
    runtime,
    effective,
    settings,
    gateway,
    namespace,
    hostName,
    konnectivityName: `konnectivity-server.${hostName}`,
    services: {
      apiServer: `apiserver-external.${namespace}.svc.cluster.local:${servicePort}`,
      konnectivity: `konnectivity-server.${namespace}.svc.cluster.local:${servicePort}`,
    },
    seedDomain,
    nodePorts,
    ownAddresses,
    cache,
    derived: newDerived(cache),
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  const newGroup = (): Item[] => [];
  for (const item of items) getOrAdd(groups, keyOf(item), newGroup).push(item);
  return groups;
}

// Order never decides about anything in a plan: the loader sorts, and what comes from elsewhere is sorted here.

/** The model itself where its lists are sorted already. */
function sortedModel(model: Model): Model {
  const { platform, seeds, datacenters, clusters, pools } = model;
  const sorted = [seeds, datacenters, clusters, pools].every(isSorted);
  if (sorted) return model;
  return {
    platform,
    seeds: sortedByName(seeds),
    datacenters: sortedByName(datacenters),
    clusters: sortedByName(clusters),
    pools: sortedByName(pools),
  };
}

function isSorted(documents: readonly Named[]): boolean {
  for (let i = 1; i < documents.length; i++)
    if ((documents[i - 1] as Named).metadata.name > (documents[i] as Named).metadata.name) return false;
  return true;
}

const sortedByName = <Document extends Named>(documents: readonly Document[]): readonly Document[] =>
  [...documents].sort((a, b) => byName(a.metadata.name, b.metadata.name));
