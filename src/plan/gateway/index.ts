// What the gateway of each seed must know: immutable, versioned by its content, swapped as a whole.
import { hash } from 'node:crypto';
import type { Seed } from '../../model/schema/index.ts';
import { memoInside, memoLast } from '../cache.ts';
import { type ClusterContext, type PlanContext, seedDomainOf, tunnelNameOf } from '../context.ts';
import { gatewayPortsOf, nodePortRangeOf } from '../ports.ts';
import type { GatewayCluster, GatewaySnapshot } from '../schema/index.ts';
import { gatewayClusterOf } from './cluster.ts';

const none: readonly ClusterContext[] = [];

export function planGateways({ cache, model, domain, clustersOfSeed }: PlanContext): Record<string, GatewaySnapshot> {
  const snapshots: Record<string, GatewaySnapshot> = {};
  for (const seed of model.seeds) {
    const contexts = clustersOfSeed.get(seed.metadata.name) ?? none;
    const snapshot = (): GatewaySnapshot => snapshotOf(seed, domain, contexts);
    snapshots[seed.metadata.name] = remembered(cache, seed, [domain, ...contexts], snapshot);
  }
  return snapshots;
}
const remembered = memoLast<Seed, GatewaySnapshot>();

function snapshotOf(seed: Seed, domain: string, contexts: readonly ClusterContext[]): GatewaySnapshot {
  const head = headOf(seed, domain);
  const clusters: Record<string, GatewayCluster> = {};
  let content = JSON.stringify(head);
  for (const c of contexts) {
    const { entry, text } = written(c);
    clusters[c.name] = entry;
    content += text;
  }
  return { version: hash('sha256', content).slice(0, 16), ...head, clusters };
}

/** Written once per cluster, because a change of one makes another version of all. */
const written = memoInside(
  'gateway-entry',
  (c: ClusterContext): { readonly entry: GatewayCluster; readonly text: string } => {
    const entry = gatewayClusterOf(c);
    return { entry, text: `\n${c.name} ${JSON.stringify(entry)}` };
  },
);

function headOf(seed: Seed, domain: string): Omit<GatewaySnapshot, 'version' | 'clusters'> {
  const { sni, tunnel, single, offersSplit, offersSingle } = gatewayPortsOf(seed);
  return {
    seed: seed.metadata.name,
    listeners: {
      ...(offersSplit ? { sni, tunnel } : {}),
      ...(offersSingle ? { single } : {}),
      nodePortRange: nodePortRangeOf(seed),
    },
    tunnel: tunnelOf(seed, domain),
    trustedBalancers: seed.spec.gateway.trustedBalancers ?? [],
  };
}

function tunnelOf(seed: Seed, domain: string): GatewaySnapshot['tunnel'] {
  const { tunnelAuthentication: authentication = 'token', tunnelKeys, tunnelAuthorities } = seed.spec.gateway;
  const speaksTls = authentication !== 'none' || gatewayPortsOf(seed).offersSingle;
  return {
    name: tunnelNameOf(seedDomainOf(seed, domain)),
    authentication,
    ...(speaksTls ? { certificate } : {}),
    ...(tunnelKeys === undefined ? {} : { publicKeys: tunnelKeys.map(canonicalPem) }),
    ...(tunnelAuthorities === undefined ? {} : { clientAuthorities: tunnelAuthorities.map(canonicalPem) }),
  };
}

/** Beside the snapshot's file, with the names that `causeway gateway pki` gives them. */
const certificate = { certFile: 'gateway.crt', keyFile: 'gateway.key' };

/** YAML keeps or drops spaces and line ends around it as people happen to write it; the version must not change by that. */
const canonicalPem = (pem: string): string =>
  `${pem
    .trim()
    .split(/\s*\n\s*/)
    .join('\n')}\n`;
