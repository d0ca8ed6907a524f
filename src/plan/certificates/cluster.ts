// The two certificates of a cluster: what clients dial must be in them, from outside, from the seed and from pods.

import { getOrAdd } from '../../core/collections.ts';
import { formatAddress, parseCidr } from '../../core/ip.ts';
import type { Platform } from '../../model/schema/index.ts';
import { memo, memoAll, memoInside } from '../cache.ts';
import type { ClusterContext, Target } from '../context.ts';
import { entryOf } from '../flows/exposing.ts';
import { servicePort } from '../ports.ts';
import type { Certificate } from '../schema/index.ts';
import { controlPlaneIssuer } from './issuer.ts';

export const clusterCertificates = memoInside(
  'certificates',
  (c: ClusterContext): readonly [Certificate, Certificate] => {
    const name = externalName(c);
    const names = name === undefined ? [] : [name];
    const konnectivityNames = name === undefined ? [] : [name, konnectivityNameAt(c, name)];
    const { apiServer, konnectivity } = addressesOf(c);
    const clusters = [c.name];
    return [
      certificateOf(c, 'apiserver', names.concat(apiServerNames(c)), apiServer, clusters),
      certificateOf(c, 'konnectivity', konnectivityNames, konnectivity, clusters),
    ];
  },
);

const rows = { apiserver: 'API-1', konnectivity: 'KON-1' } as const;

function certificateOf(
  c: ClusterContext,
  of: keyof typeof rows,
  dnsNames: string[],
  ips: string[],
  clusters: string[],
): Certificate {
  const { issuer, issuedBy } = controlPlaneIssuer(c.cluster.spec.controlPlane?.external !== undefined);
  return {
    name: `${of}-${c.name}`,
    dnsNames,
    ips,
    issuer,
    issuedBy,
    place: entryOf(c.seed, c.effective.exposeStrategy),
    clusters,
    requirement: rows[of],
  };
}

/** Name that clients dial: one at the gateway, or that of the cluster's own load balancer, if it has one. */
const externalName = (c: ClusterContext): string | undefined =>
  c.effective.exposeStrategy === 'LoadBalancer' ? c.cluster.spec.loadBalancerHostname : c.hostName;

const konnectivityNameAt = (c: ClusterContext, name: string): string =>
  name === c.hostName ? c.konnectivityName : `konnectivity-server.${name}`;

/** In the seed by the Service of the cluster's namespace, in the cluster by the Service of every cluster. */
function apiServerNames(c: ClusterContext): string[] {
  const { dnsDomain } = c.effective;
  const inCluster = getOrAdd(
    namesByDomain(c.cache, c.platform),
    dnsDomain,
    () => `kubernetes.default.svc.${dnsDomain}`,
  );
  // Beginnings of a longer name, which keep no text of their own.
  const inSeed = c.services.apiServer.slice(0, -`:${servicePort}`.length);
  const service = inSeed.slice(0, -'.cluster.local'.length);
  const namespaced = service.slice(0, -'.svc'.length);
  return [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    inCluster,
    'apiserver-external',
    namespaced,
    service,
    inSeed,
  ];
}

const namesByDomain = memo((_: Platform) => new Map<string, string>());

interface CertificateAddresses {
  readonly apiServer: string[];
  readonly konnectivity: string[];
}

/** Behind the tunnel clients always come by name, or by the agent's address. */
function addressesOf(c: ClusterContext): CertificateAddresses {
  const { exposeStrategy, services, agentIP } = c.effective;
  switch (exposeStrategy) {
    case 'Tunneling':
      return getOrAdd(tunnelAddresses(c.cache, services, c.gateway), agentIP, () => {
        const konnectivity = inside(services);
        return { apiServer: [...konnectivity, agentIP], konnectivity };
      });
    case 'LoadBalancer':
      return forBoth(inside(services).concat(c.ownAddresses));
    case 'NodePort':
      return gatewayAddresses(c.cache, services, c.gateway);
  }
}
const forBoth = (ips: string[]): CertificateAddresses => ({ apiServer: ips, konnectivity: ips });

// Clusters with the same service networks at the same gateway share their lists.
const tunnelAddresses = memoAll((_, __: readonly string[], ___: Target) => new Map<string, CertificateAddresses>());
const gatewayAddresses = memoAll((_, services: readonly string[], gateway: Target) =>
  forBoth(inside(services).concat(gateway.addresses)),
);

/** The kubernetes Service has the first address of each service network. */
function inside(services: readonly string[]): string[] {
  const addresses = services.map((network) => {
    const { family, first } = parseCidr(network);
    return formatAddress({ family, value: first + 1n });
  });
  const loopback = services.some((network) => network.includes(':')) ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
  return addresses.concat(loopback);
}
