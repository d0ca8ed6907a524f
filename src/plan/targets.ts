// Where ingress, gateways and clusters with a load balancer of their own are found, as far as that is known.
import { memo } from '../core/memo.ts';
import type { Cluster, Model, Seed } from '../model/schema/index.ts';
import { drawnFrom, loadBalancerPools, userOf } from './addresses/index.ts';
import type { Target } from './context.ts';
import type { Addresses } from './schema/index.ts';

type Source = Seed['spec']['gateway']['address'];
const none: readonly string[] = [];

export const ingressTarget = (model: Model, addresses: Addresses): Target =>
  targetOf(model.platform.spec.ingress.address, drawnFrom(addresses, poolOf(model.platform.spec.ingress), 'ingress'));

/** Keeps its identity while seed and addresses say the same, because contexts are compared by it. */
export function gatewayTarget(seed: Seed, addresses: Addresses): Target {
  const known = lastTarget(seed);
  const now = targetOf(seed.spec.gateway.address, drawnByGateway(seed, addresses));
  if (known.target === undefined || !sameTexts(known.target.addresses, now.addresses)) known.target = now;
  return known.target;
}
const lastTarget = memo((_: Seed): { target: Target | undefined } => ({ target: undefined }));

/** The pool of another seed holds an address for that one's gateway, not for this one's. */
function drawnByGateway(seed: Seed, addresses: Addresses): readonly string[] {
  const pool = poolOf(seed.spec.gateway);
  const isOwn = addresses.pools.some((plan) => plan.pool === pool && plan.owner === `Seed/${seed.metadata.name}`);
  return isOwn ? drawnFrom(addresses, pool, 'gateway') : none;
}

const poolOf = ({ address }: { readonly address: Source }): string | undefined => address.pool;
const targetOf = ({ ips, hostname, dynamic = false }: Source, drawn: readonly string[]): Target => ({
  addresses: ips ?? drawn,
  hostname,
  dynamic,
});

/** Addresses of a cluster's own load balancer: given by hand, or drawn from the pool of its seed. */
export function ownAddressesIn(
  model: Model,
  addresses: Addresses,
): (cluster: Cluster, seed: Seed) => readonly string[] {
  const pools = loadBalancerPools(model);
  return ({ metadata, spec }, seed) =>
    spec.loadBalancerIPs ?? drawnFrom(addresses, pools.get(seed.metadata.name), userOf(metadata.name));
}

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
