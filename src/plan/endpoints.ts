// The two endpoints that every cluster exposes at its seed, and all that follows from where they are.
import { getOrAdd } from '../core/collections.ts';
import type { Seed } from '../model/schema/index.ts';
import { memo, memoInside } from './cache.ts';
import { type ClusterContext, tunnelNameOf } from './context.ts';
import { tunnelPortOf, userPortOf, workerPortOf } from './ports.ts';
import type { Endpoint } from './schema/index.ts';

/** Port that the API server listens on behind the node agent, and that the agent serves. */
export const agentPort = 6443;

export const endpointOf = memoInside('endpoint', (c: ClusterContext): Endpoint => {
  const { apiServer, konnectivity, kubeconfigPort } = exposed(c);
  const externalName = externalNameOf(c);
  const service = kubernetesService(c);
  const tunnel = c.effective.exposeStrategy === 'Tunneling' ? { tunnel: tunnelOf(c) } : {};
  return {
    cluster: c.name,
    seed: c.seed.metadata.name,
    datacenter: c.datacenter.metadata.name,
    strategy: c.effective.exposeStrategy,
    entry: c.effective.entry,
    namespace: c.namespace,
    externalName,
    apiServer,
    konnectivity,
    ...tunnel,
    kubeconfigServer: urlOf(externalName, kubeconfigPort),
    kubernetesService: service,
    apiServerFlags: flagsOf(c, externalName, service),
  };
});

/** What clients dial: a name at the gateway, or the cluster's own load balancer. Null while that does not exist. */
export function externalNameOf(c: ClusterContext): string | null {
  if (c.effective.exposeStrategy !== 'LoadBalancer') return c.hostName;
  return c.ownAddresses[0] ?? c.cluster.spec.loadBalancerHostname ?? null;
}

export const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

type Exposed = Pick<Endpoint, 'apiServer' | 'konnectivity'> & { readonly kubeconfigPort: number | null };

function exposed(c: ClusterContext): Exposed {
  if (c.effective.exposeStrategy === 'Tunneling') return exposedBySni(c);
  const host = externalNameOf(c);
  const port = c.nodePorts?.apiServer ?? null;
  return {
    apiServer: { host, port },
    konnectivity: { host, port: c.nodePorts?.konnectivity ?? null },
    kubeconfigPort: port,
  };
}

function exposedBySni(c: ClusterContext): Exposed {
  const port = workerPortOf(c);
  const konnectivity = c.konnectivityName;
  return {
    apiServer: { host: c.hostName, port, sni: c.hostName },
    konnectivity: { host: konnectivity, port, sni: konnectivity },
    kubeconfigPort: userPortOf(c.seed),
  };
}

function tunnelOf(c: ClusterContext): NonNullable<Endpoint['tunnel']> {
  const authentication = c.seed.spec.gateway.tunnelAuthentication ?? 'token';
  // On the single port the tunnel is told apart by its name, so it is TLS there even for agents without credentials.
  const tls = authentication !== 'none' || c.effective.entry === 'single';
  const name = tunnelNameOf(c.seedDomain);
  return {
    host: tls ? name : c.hostName,
    port: tunnelPortOf(c),
    ...(tls ? { sni: name } : {}),
    authority: c.services.apiServer,
    tls,
    authentication,
    agentIP: c.effective.agentIP,
  };
}

/** Pods know only the service address; behind it stands the node agent, or the published address itself. */
function kubernetesService(c: ClusterContext): Endpoint['kubernetesService'] {
  switch (c.effective.exposeStrategy) {
    case 'Tunneling':
      return getOrAdd(agentServices(c.cache, c.seed), c.effective.agentIP, () => ({
        addresses: [c.effective.agentIP],
        port: agentPort,
      }));
    case 'LoadBalancer':
      return { addresses: c.ownAddresses as string[], port: c.nodePorts?.apiServer ?? null };
    case 'NodePort':
      return { addresses: c.gateway.addresses as string[], port: c.nodePorts?.apiServer ?? null };
  }
}

/** Clusters with the same agent address share one. */
const agentServices = memo((_: Seed) => new Map<string, Endpoint['kubernetesService']>());

function flagsOf(
  c: ClusterContext,
  externalName: string | null,
  service: Endpoint['kubernetesService'],
): Record<string, string> {
  const flags: Record<string, string> = {
    // The endpoints of default/kubernetes are written by us; the API server only knows its own pod address.
    'endpoint-reconciler-type': 'none',
    'service-cluster-ip-range': c.effective.services.join(','),
  };
  if (externalName !== null) flags['external-hostname'] = externalName;
  if (service.addresses[0] !== undefined) flags['advertise-address'] = service.addresses[0];
  // The API server listens on its own node port, so that the number is the same inside and outside.
  if (service.port !== null) flags['secure-port'] = String(service.port);
  return flags;
}

const urlOf = (host: string | null, port: number | null): string | null =>
  host === null || port === null ? null : `https://${hostPort(host, port)}`;
