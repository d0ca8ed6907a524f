// Joins the documents: each cluster with its datacenter, seed, settings and allocations.
// A cluster whose inputs did not change keeps its context object, and with it everything that was computed from it.
import type { Allocations } from '../model/allocations.ts';
import type { Cluster, Datacenter, Model, Seed } from '../model/schema/index.ts';
import { planAddresses } from './addresses/index.ts';
import { type ClusterContext, type PlanContext, seedDomainOf, type Target } from './context.ts';
import type { Addresses } from './schema/index.ts';
import { clusterSettings } from './settings/index.ts';
import { allocatedAddresses, gatewayTarget, ingressTarget, nodePortsOf } from './targets.ts';

interface Joined {
  readonly cluster: Cluster;
  readonly datacenter: Datacenter;
  readonly seed: Seed;
}

export function buildContext(model: Model, allocations: Allocations): PlanContext {
  const seeds = new Map(model.seeds.map((seed) => [seed.metadata.name, seed]));
  const datacenters = new Map(model.datacenters.map((datacenter) => [datacenter.metadata.name, datacenter]));
  const joined = join(model, seeds, datacenters);
  const addresses = addressesOf(model, allocations, joined);
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

function join(model: Model, seeds: ReadonlyMap<string, Seed>, datacenters: ReadonlyMap<string, Datacenter>): Joined[] {
  const joined: Joined[] = [];
  for (const cluster of model.clusters) {
    const datacenter = datacenters.get(cluster.spec.datacenter);
    const seed = datacenter === undefined ? undefined : seeds.get(datacenter.spec.seed);
    if (datacenter !== undefined && seed !== undefined) joined.push({ cluster, datacenter, seed });
  }
  return joined;
}

function addressesOf(model: Model, allocations: Allocations, joined: readonly Joined[]): Addresses {
  const byName = new Map(joined.map((j) => [j.cluster.metadata.name, j]));
  return planAddresses({
    model,
    allocations,
    strategyOf: (name) => {
      const j = byName.get(name);
      return j === undefined
        ? undefined
        : clusterSettings(model, j.seed, j.datacenter, j.cluster).effective.exposeStrategy;
    },
    seedOf: (name) => byName.get(name)?.seed.metadata.name,
  });
}

function contextsOf(
  model: Model,
  joined: readonly Joined[],
  addresses: Addresses,
  gateways: ReadonlyMap<string, Target>,
): ClusterContext[] {
  const ports = nodePortsOf(addresses);
  const own = allocatedAddresses(model, addresses);
  return joined.map((j) => {
    const name = j.cluster.metadata.name;
    const gateway = gateways.get(j.seed.metadata.name) as Target;
    return contextOf(model, j, { gateway, nodePorts: ports.get(name), ownAddresses: own(j.cluster) });
  });
}

type Allocated = Pick<ClusterContext, 'gateway' | 'nodePorts' | 'ownAddresses'>;
const previous = new WeakMap<Cluster, ClusterContext>();

function contextOf(model: Model, joined: Joined, allocated: Allocated): ClusterContext {
  const settings = clusterSettings(model, joined.seed, joined.datacenter, joined.cluster);
  const old = previous.get(joined.cluster);
  if (old !== undefined && old.effective === settings.effective && sameInputs(old, model, joined, allocated))
    return old;
  const { cluster, datacenter, seed } = joined;
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

const sameInputs = (old: ClusterContext, model: Model, joined: Joined, now: Allocated): boolean =>
  old.platform === model.platform &&
  old.seed === joined.seed &&
  old.datacenter === joined.datacenter &&
  old.gateway === now.gateway &&
  old.nodePorts?.apiServer === now.nodePorts?.apiServer &&
  old.nodePorts?.konnectivity === now.nodePorts?.konnectivity &&
  sameTexts(old.ownAddresses, now.ownAddresses);

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
