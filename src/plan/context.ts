// What every part of the plan starts from: each cluster with its documents and its effective settings, resolved once.
import type { Allocations } from '../model/index.ts';
import type { Cluster, Datacenter, Model, Platform, Seed } from '../model/schema/index.ts';
import type { PlanCache } from './cache.ts';
import type { Runtime } from './runtime.ts';
import type { Addresses } from './schema/index.ts';
import type { Effective } from './settings/effective.ts';
import type { SettingRecord } from './settings/origin.ts';

export interface ClusterContext {
  readonly name: string;
  readonly platform: Platform;
  readonly cluster: Cluster;
  readonly datacenter: Datacenter;
  readonly seed: Seed;
  readonly effective: Effective;
  /** What its control plane is run by; see `limited` for what follows from that. */
  readonly runtime: Runtime;
  /** Where each effective value came from. */
  readonly settings: SettingRecord;
  /** Where the gateway of its seed is found. */
  readonly gateway: Target;
  /** `cluster-<name>`, the namespace of its control plane in the seed. */
  readonly namespace: string;
  /** `<cluster>.<seed>.<domain>`, whatever the strategy; LoadBalancer clusters are not published under it. */
  readonly hostName: string;
  /** `konnectivity-server.<cluster>.<seed>.<domain>`. */
  readonly konnectivityName: string;
  /** host:port of both servers in the seed, where we run them. The first is also the authority of the tunnel. */
  readonly services: { readonly apiServer: string; readonly konnectivity: string };
  /** `<seed>.<domain>`. */
  readonly seedDomain: string;
  /** Node ports and own addresses, locked or proposed; set where the strategy needs them. */
  readonly nodePorts: { readonly apiServer: number; readonly konnectivity: number } | undefined;
  readonly ownAddresses: readonly string[];
  /** The one it was built with. */
  readonly cache: PlanCache;
  /** What was computed from all this; see `memoInside`. */
  readonly derived: unknown[] | undefined;
}

/** Where a name points: addresses that are known, or the host name a cloud gave. Both empty: not known yet. */
export interface Target {
  readonly addresses: readonly string[];
  readonly hostname: string | undefined;
  /** The cloud may change it at any time. */
  readonly dynamic: boolean;
}

export interface PlanContext {
  /** Where the parts of the plan keep what they computed. */
  readonly cache: PlanCache;
  readonly model: Model;
  readonly allocations: Allocations;
  readonly domain: string;
  readonly seeds: ReadonlyMap<string, Seed>;
  readonly datacenters: ReadonlyMap<string, Datacenter>;
  /** Sorted by name. Clusters whose datacenter or seed does not exist are left out; validation reports them. */
  readonly clusters: readonly ClusterContext[];
  readonly clustersOfSeed: ReadonlyMap<string, readonly ClusterContext[]>;
  readonly clustersOfDatacenter: ReadonlyMap<string, readonly ClusterContext[]>;
  readonly ingress: Target;
  /** Per seed. */
  readonly gateways: ReadonlyMap<string, Target>;
  readonly addresses: Addresses;
}

export const seedDomainOf = (seed: Seed, domain: string): string =>
  `${seed.spec.dnsName ?? seed.metadata.name}.${domain}`;
export const tunnelNameOf = (seedDomain: string): string => `tunnel.${seedDomain}`;

/** Networks of a cluster's own workers: those of its tenant, where it has one. */
export function workerNetworksOf({ cluster, datacenter }: ClusterContext): readonly string[] {
  const { tenants = [], nodes } = datacenter.spec;
  return tenants.find((tenant) => tenant.name === cluster.spec.tenant)?.networks ?? nodes.networks;
}
