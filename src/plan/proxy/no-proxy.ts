// What must not go through the proxy. Computed here once; how each client spells it is the renderers' business.
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
  const around = [...workerNetworksOf(c), ...privateProviderHosts(c.platform, c.datacenter)];
  return nodesNoProxy(c.effective, name === null ? [] : [name], around);
}

/** Order is part of the promise: cluster, endpoint, installation, built-ins, node. */
export function nodesNoProxy(effective: Effective, endpoints: readonly string[], around: readonly string[]): string[] {
  const { dnsDomain, services, pods, route, noProxy, nodeLocalDNS } = effective;
  return unique([
    dnsDomain,
    ...services,
    ...pods,
    // Where the proxy is the only way to the gateway, exempting its name would cut the workers off.
    ...(route === 'proxy' ? [] : endpoints),
    ...noProxy,
    ...loopback,
    ...mirrors(effective),
    ...agentAddress(effective),
    nodeLocalDNS,
    ...metadata,
    ...around,
  ]);
}

/** The control plane runs in the seed and reaches its own workers by konnectivity, never by the proxy. */
export function controlPlaneNoProxy(c: ClusterContext, seedEntries: readonly string[]): string[] {
  const { dnsDomain, services, pods } = c.effective;
  return unique([
    dnsDomain,
    ...services,
    ...pods,
    externalNameOf(c) ?? c.hostName,
    ...seedEntries,
    ...workerNetworksOf(c),
  ]);
}

/** Of the platform's own parts. They talk to every seed API and gateway directly; those flows are in the matrix. */
export const managementNoProxy = (
  domain: string,
  entries: readonly string[],
  networks: readonly string[],
  hosts: readonly string[],
): string[] => unique(['cluster.local', domain, ...entries, ...loopback, ...metadata, ...networks, ...hosts]);

const agentAddress = ({ exposeStrategy, agentIP }: Effective): string[] =>
  exposeStrategy === 'Tunneling' ? [agentIP] : [];
/** What replaces the internet is no part of it. */
const mirrors = ({ egressMode, registry }: Effective): string[] =>
  egressMode === 'offline' ? registryRemotes(registry).map((remote) => remote.host) : [];
const unique = (entries: readonly string[]): string[] => [
  ...new Set(entries.flatMap(splitEntry).filter((entry) => entry !== '')),
];
/** People paste whole lists into one item; validation says so, and the plan works meanwhile. */
const splitEntry = (entry: string): string | string[] =>
  entry.includes(',') || entry.includes(' ') ? entry.split(/[\s,]+/) : entry;
