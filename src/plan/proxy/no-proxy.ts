// What must not go through the proxy. Computed here once; how each client spells it is the renderers' business.
import type { ClusterContext } from '../context.ts';
import { externalNameOf } from '../endpoints.ts';

const loopback = ['svc', '127.0.0.1', 'localhost', '::1'];
/** Metadata service of every cloud; asking a proxy for it would hand out somebody else's credentials. */
const metadata = ['169.254.169.254'];

/** Order is part of the promise: cluster, endpoint, installation, built-ins, node. */
export function clusterNoProxy(c: ClusterContext): string[] {
  const { dnsDomain, services, pods, noProxy, nodeLocalDNS } = c.effective;
  return unique([
    dnsDomain,
    ...services,
    ...pods,
    ...endpointExemption(c),
    ...noProxy,
    ...loopback,
    ...agentAddress(c),
    nodeLocalDNS,
    ...metadata,
    ...workerNetworks(c),
  ]);
}

/** The control plane runs in the seed and reaches its own workers by konnectivity, never by the proxy. */
export function controlPlaneNoProxy(c: ClusterContext, seedEntries: readonly string[]): string[] {
  const { dnsDomain, services, pods } = c.effective;
  return unique([dnsDomain, ...services, ...pods, c.hostName, ...seedEntries, ...workerNetworks(c)]);
}

export const managementNoProxy = (
  domain: string,
  entries: readonly string[],
  networks: readonly string[],
  hosts: readonly string[],
): string[] => unique(['cluster.local', domain, ...entries, ...loopback, ...metadata, ...networks, ...hosts]);

/** Where the proxy is the only way to the gateway, exempting its name would cut the workers off. */
function endpointExemption(c: ClusterContext): string[] {
  if (c.effective.route === 'proxy') return [];
  const name = externalNameOf(c);
  return name === null ? [] : [name];
}

const agentAddress = (c: ClusterContext): string[] =>
  c.effective.exposeStrategy === 'Tunneling' ? [c.effective.agentIP] : [];
const workerNetworks = (c: ClusterContext): string[] => [
  ...c.datacenter.spec.nodes.networks,
  ...(c.datacenter.spec.tenants ?? []).flatMap((t) => t.networks),
];
const unique = (entries: readonly string[]): string[] => [
  ...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== '')),
];
