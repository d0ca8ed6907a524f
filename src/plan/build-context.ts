// Joins the documents: each cluster with its datacenter, seed, settings and allocations.
// A cluster whose inputs did not change keeps its context object, and with it everything that was computed from it.
import { getOrAdd } from '../core/get-or-add.ts';
import type { Allocations } from '../model/allocations.ts';
import type { Cluster, Datacenter, Model, Seed } from '../model/schema/index.ts';
import { nodePortsFor, planAddresses } from './addresses/index.ts';
import { type ClusterContext, type PlanContext, seedDomainOf, type Target } from './context.ts';
import type { Addresses } from './schema/index.ts';
import { clusterSettings, type Resolved } from './settings/index.ts';
import { sortedModel } from './sorted-model.ts';
import { gatewayTarget, ingressTarget, ownAddressesIn, sameTexts } from './targets.ts';

type Named = { readonly metadata: { readonly name: string } };
interface Joined {
  readonly cluster: Cluster;
  readonly datacenter: Datacenter;
  readonly seed: Seed;
  readonly settings: Resolved;
}

export function buildContext(given: Model, allocations: Allocations): PlanContext {
  const model = sortedModel(given);
  const seeds = keyedByName(model.seeds);
  const datacenters = keyedByName(model.datacenters);
  const joined = join(model, seeds, datacenters);
  const addresses = planAddresses({ model, allocations, located: joined });
  const gateways = new Map(model.seeds.map((seed) => [seed.metadata.name, gatewayTarget(seed, addresses)]));
  const clusters = contextsOf(model, joined, addresses, gateways);
  return {
    model,
    allocations,
    domain: model.platform.spec.domain,
    seeds,
    datacenters,
    clusters,
    clustersOfSeed: groupBy(clusters, (c) => c.seed.metadata.name),
    clustersOfDatacenter: groupBy(clusters, (c) => c.datacenter.metadata.name),
    ingress: ingressTarget(model, addresses),
    gateways,
    addresses,
  };
}

const keyedByName = <Document extends Named>(documents: readonly Document[]): ReadonlyMap<string, Document> =>
  new Map(documents.map((document) => [document.metadata.name, document]));

function join(model: Model, seeds: ReadonlyMap<string, Seed>, datacenters: ReadonlyMap<string, Datacenter>): Joined[] {
  const joined: Joined[] = [];
  for (const cluster of model.clusters) {
    const datacenter = datacenters.get(cluster.spec.datacenter);
    const seed = datacenter === undefined ? undefined : seeds.get(datacenter.spec.seed);
    if (datacenter === undefined || seed === undefined) continue;
    joined.push({ cluster, datacenter, seed, settings: clusterSettings(model, seed, datacenter, cluster) });
  }
  return joined;
}

type Allocated = Pick<ClusterContext, 'gateway' | 'nodePorts' | 'ownAddresses'>;
const none: readonly string[] = [];

function contextsOf(
  model: Model,
  joined: readonly Joined[],
  addresses: Addresses,
  gateways: ReadonlyMap<string, Target>,
): ClusterContext[] {
  const ownAddresses = ownAddressesIn(model, addresses);
  return joined.map((j) => {
    const seed = j.seed.metadata.name;
    const hasBalancer = j.settings.effective.exposeStrategy === 'LoadBalancer';
    return contextOf(model, j, {
      gateway: gateways.get(seed) as Target,
      nodePorts: nodePortsFor(addresses, seed, j.cluster.metadata.name),
      ownAddresses: hasBalancer ? ownAddresses(j.cluster, j.seed) : none,
    });
  });
}

const previous = new WeakMap<Cluster, ClusterContext>();

function contextOf(model: Model, joined: Joined, allocated: Allocated): ClusterContext {
  const { cluster, datacenter, seed, settings } = joined;
  const old = previous.get(cluster);
  if (old !== undefined && sameInputs(old, model, joined, allocated)) return old;
  const seedDomain = seedDomainOf(seed, model.platform.spec.domain);
  const name = cluster.metadata.name;
  const context: ClusterContext = {
    name,
    platform: model.platform,
    cluster,
    datacenter,
    seed,
    ...settings,
    namespace: `cluster-${name}`,
    hostName: `${name}.${seedDomain}`,
    seedDomain,
    ...allocated,
  };
  previous.set(cluster, context);
  return context;
}

/** Settings follow from the four documents. */
const sameInputs = (old: ClusterContext, model: Model, joined: Joined, now: Allocated): boolean =>
  old.platform === model.platform &&
  old.seed === joined.seed &&
  old.datacenter === joined.datacenter &&
  old.gateway === now.gateway &&
  old.nodePorts?.apiServer === now.nodePorts?.apiServer &&
  old.nodePorts?.konnectivity === now.nodePorts?.konnectivity &&
  sameTexts(old.ownAddresses, now.ownAddresses);

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) getOrAdd(groups, keyOf(item), () => [] as Item[]).push(item);
  return groups;
}
