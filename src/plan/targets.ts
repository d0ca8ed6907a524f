// Where ingress, gateways and clusters with a load balancer of their own are found, as far as that is known.
import { memo, memoLast } from '../core/memo.ts';
import type { Cluster, Model, Seed } from '../model/schema/index.ts';
import { drawnFrom, loadBalancerPools, nodePortPlanOf, nodePortsFor, poolPlanOf, userOf } from './addresses/index.ts';
import type { ClusterContext, Target } from './context.ts';
import type { Addresses, NodePortPlan, PoolPlan } from './schema/index.ts';

type Source = Seed['spec']['gateway']['address'];
const none: readonly string[] = [];

const targetOf = ({ ips, hostname, dynamic = false }: Source, drawn: readonly string[]): Target => ({
  addresses: ips ?? drawn,
  hostname,
  dynamic,
});

export function ingressTarget({ platform }: Model, addresses: Addresses): Target {
  const { address } = platform.spec.ingress;
  return targetOf(address, drawnFrom(poolPlanOf(addresses, address.pool), 'ingress'));
}

/** Keeps its identity while seed and addresses say the same, because contexts are compared by it. */
function gatewayTarget(seed: Seed, addresses: Addresses): Target {
  const known = lastTarget(seed);
  const now = targetOf(seed.spec.gateway.address, drawnByGateway(seed, addresses));
  if (known.target === undefined || !sameTexts(known.target.addresses, now.addresses)) known.target = now;
  return known.target;
}
const lastTarget = memo((_: Seed): { target: Target | undefined } => ({ target: undefined }));

/** The pool of another seed holds an address for that one's gateway, not for this one's. */
function drawnByGateway(seed: Seed, addresses: Addresses): readonly string[] {
  const plan = poolPlanOf(addresses, seed.spec.gateway.address.pool);
  return plan?.owner === `Seed/${seed.metadata.name}` ? drawnFrom(plan, 'gateway') : none;
}

/** What a seed has for its clusters. The same object for as long as that is the same. */
export interface Holdings {
  readonly gateway: Target;
  readonly nodePorts: NodePortPlan | undefined;
  readonly pool: PoolPlan | undefined;
}
const lastHoldings = memoLast<Seed, Holdings>();

export function holdingsOf(model: Model, addresses: Addresses): Map<Seed, Holdings> {
  const pools = loadBalancerPools(model);
  const holdings = (seed: Seed): Holdings => {
    const gateway = gatewayTarget(seed, addresses);
    const nodePorts = nodePortPlanOf(addresses, seed.metadata.name);
    const pool = poolPlanOf(addresses, pools.get(seed.metadata.name));
    return lastHoldings(seed, [gateway, nodePorts, pool], () => ({ gateway, nodePorts, pool }));
  };
  return new Map(model.seeds.map((seed) => [seed, holdings(seed)]));
}

export type Allocated = Pick<ClusterContext, 'gateway' | 'nodePorts' | 'ownAddresses'>;

export const allocatedTo = (
  cluster: Cluster,
  { effective }: Pick<ClusterContext, 'effective'>,
  from: Holdings,
): Allocated => ({
  gateway: from.gateway,
  nodePorts: nodePortsFor(from.nodePorts, cluster.metadata.name),
  ownAddresses: effective.exposeStrategy === 'LoadBalancer' ? ownAddresses(cluster, from.pool) : none,
});

/** Addresses of a cluster's own load balancer: given by hand, or drawn from the pool of its seed. */
const ownAddresses = ({ metadata, spec }: Cluster, pool: PoolPlan | undefined): readonly string[] =>
  spec.loadBalancerIPs ?? drawnFrom(pool, userOf(metadata.name));

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
