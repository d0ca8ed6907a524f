// What the gateway of each seed must know: immutable, versioned by its content, swapped as a whole.
import { hash } from 'node:crypto';
import { memo } from '../../core/memo.ts';
import type { Seed } from '../../model/schema/index.ts';
import { type ClusterContext, type PlanContext, seedDomainOf, tunnelNameOf } from '../context.ts';
import { gatewayPortsOf, nodePortRangeOf } from '../ports.ts';
import type { GatewayCluster, GatewaySnapshot } from '../schema/index.ts';
import { gatewayClusterOf } from './cluster.ts';

export function planGateways(ctx: PlanContext): Record<string, GatewaySnapshot> {
  const snapshots: Record<string, GatewaySnapshot> = {};
  for (const seed of ctx.model.seeds) {
    snapshots[seed.metadata.name] = snapshotOf(seed, ctx.domain, ctx.clustersOfSeed.get(seed.metadata.name) ?? []);
  }
  return snapshots;
}

function snapshotOf(seed: Seed, domain: string, contexts: readonly ClusterContext[]): GatewaySnapshot {
  const clusters: Record<string, GatewayCluster> = {};
  const digests: string[] = [];
  for (const c of contexts) {
    const { entry, digest } = digested(c);
    clusters[c.name] = entry;
    digests.push(digest);
  }
  const head = headOf(seed, domain);
  return { version: hash('sha256', JSON.stringify(head) + digests.join('')).slice(0, 16), ...head, clusters };
}

/** Hashed once per cluster, so that a change costs one hash and not ten thousand. */
const digested = memo((c: ClusterContext): { readonly entry: GatewayCluster; readonly digest: string } => {
  const entry = gatewayClusterOf(c);
  return { entry, digest: hash('sha256', c.name + JSON.stringify(entry)) };
});

function headOf(seed: Seed, domain: string): Omit<GatewaySnapshot, 'version' | 'clusters'> {
  const { sni, tunnel, single, offersSplit, offersSingle } = gatewayPortsOf(seed);
  return {
    seed: seed.metadata.name,
    listeners: {
      ...(offersSplit ? { sni, tunnel } : {}),
      ...(offersSingle ? { single } : {}),
      nodePortRange: nodePortRangeOf(seed),
    },
    tunnel: {
      name: tunnelNameOf(seedDomainOf(seed, domain)),
      authentication: seed.spec.gateway.tunnelAuthentication ?? 'token',
    },
    trustedBalancers: seed.spec.gateway.trustedBalancers ?? [],
  };
}
