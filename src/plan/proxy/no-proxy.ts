// What must not go through the proxy. Computed here once; how each client spells it is the renderers' business.

import type { Seed } from '../../model/schema/index.ts';
import { memo, type PlanCache } from '../cache.ts';
import { type ClusterContext, workerNetworksOf } from '../context.ts';
import { externalNameOf } from '../endpoints.ts';
import { registryRemotes } from '../places/services.ts';
import type { Effective } from '../settings/effective.ts';
import { privateProviderHosts } from './direct-hosts.ts';

const loopback = ['svc', '127.0.0.1', 'localhost', '::1'];
/** Metadata service of every cloud; asking a proxy for it would hand out somebody else's credentials. */
const metadata = ['169.254.169.254'];

/** Of nodes and pods of one cluster. */
export function clusterNoProxy(c: ClusterContext): string[] {
  const name = externalNameOf(c);
  const providers = privateProviderHosts(c.cache, c.platform, c.datacenter);
  return nodesNoProxy(c.cache, c.effective, name === null ? [] : [name], [workerNetworksOf(c), providers]);
}

/** Order is part of the promise: cluster, endpoint, installation, built-ins, node. */
export function nodesNoProxy(
  cache: PlanCache,
  effective: Effective,
  endpoints: readonly string[],
  around: readonly (readonly string[])[],
): string[] {
  // Where the proxy is the only way to the gateway, exempting its name would cut the workers off.
  const exempt = effective.route === 'proxy' ? [] : endpoints;
  return unique([
    insideOf(cache, effective),
    exempt,
    effective.noProxy,
    loopback,
    atNodeOf(cache, effective),
    ...around,
  ]);
}

/** The control plane runs in the seed and reaches its own workers by konnectivity, never by the proxy. */
export const controlPlaneNoProxy = (c: ClusterContext, seedEntries: readonly string[]): string[] =>
  unique([insideOf(c.cache, c.effective), [externalNameOf(c) ?? c.hostName], seedEntries, workerNetworksOf(c)]);

/** Of the platform's own parts. They talk to every seed API and gateway directly; those flows are in the matrix. */
export const managementNoProxy = (
  domain: string,
  entries: readonly string[],
  { networks, pods = [], services = [] }: ManagementNodes,
  hosts: readonly string[],
): string[] => unique([['cluster.local', domain], services, pods, entries, loopback, metadata, networks, hosts]);
type ManagementNodes = Seed['spec']['nodes'];

const insideOf = memo(({ dnsDomain, services, pods }: Effective) => [dnsDomain, ...services, ...pods]);

/** What replaces the internet is no part of it; the rest is on the node itself. */
const atNodeOf = memo(({ egressMode, registry, exposeStrategy, agentIP, nodeLocalDNS }: Effective) => [
  ...(egressMode === 'offline' ? registryRemotes(registry).map((remote) => remote.host) : []),
  ...(exposeStrategy === 'Tunneling' ? [agentIP] : []),
  nodeLocalDNS,
  ...metadata,
]);

/** The lists are short, so looking through what is there is cheaper than a set. */
function unique(lists: readonly (readonly string[])[]): string[] {
  const entries: string[] = [];
  for (const list of lists) for (const entry of list) if (!entries.includes(entry)) entries.push(entry);
  // Without the room that is left for more.
  return entries.slice();
}
