// The two certificates of a cluster: what clients dial must be in them, from outside, from the seed and from pods.
import { formatAddress, parseCidr } from '../../core/ip.ts';
import { memo, memoInside } from '../cache.ts';
import type { ClusterContext } from '../context.ts';
import type { Certificate } from '../schema/index.ts';
import { controlPlaneIssuer } from './issuer.ts';

export const clusterCertificates = memoInside(
  'certificates',
  (c: ClusterContext): readonly [Certificate, Certificate] => {
    const names = externalNames(c);
    const ips = [...serviceAddresses(c.cache, c.effective.services), ...loopback(c), ...externalAddresses(c)];
    const agentIPs = c.effective.exposeStrategy === 'Tunneling' ? [c.effective.agentIP] : [];
    const konnectivityNames = [...names, ...names.map((name) => `konnectivity-server.${name}`)];
    return [
      certificateOf(c, 'apiserver', [...names, ...apiServerNames(c)], [...ips, ...agentIPs]),
      certificateOf(c, 'konnectivity', konnectivityNames, ips),
    ];
  },
);

const rows = { apiserver: 'API-1', konnectivity: 'KON-1' } as const;

function certificateOf(c: ClusterContext, of: keyof typeof rows, dnsNames: string[], ips: string[]): Certificate {
  const { issuer, issuedBy } = controlPlaneIssuer(c.cluster.spec.controlPlane?.external !== undefined);
  const entry = c.effective.exposeStrategy === 'LoadBalancer' ? 'load-balancers' : 'gateway';
  return {
    name: `${of}-${c.name}`,
    dnsNames,
    ips,
    issuer,
    issuedBy,
    place: `seed/${c.seed.metadata.name}/${entry}`,
    clusters: [c.name],
    requirement: rows[of],
  };
}

/** Names that clients dial: one at the gateway, or that of the cluster's own load balancer, if it has one. */
function externalNames(c: ClusterContext): string[] {
  if (c.effective.exposeStrategy !== 'LoadBalancer') return [c.hostName];
  const hostname = c.cluster.spec.loadBalancerHostname;
  return hostname === undefined ? [] : [hostname];
}

/** Behind the tunnel clients always come by name, or by the agent's address. */
function externalAddresses(c: ClusterContext): readonly string[] {
  switch (c.effective.exposeStrategy) {
    case 'Tunneling':
      return [];
    case 'LoadBalancer':
      return c.ownAddresses;
    case 'NodePort':
      return c.gateway.addresses;
  }
}

const apiServerNames = (c: ClusterContext): string[] => [
  ...chain('kubernetes', 'default', c.effective.dnsDomain),
  ...chain('apiserver-external', c.namespace, 'cluster.local'),
];
const chain = (service: string, namespace: string, domain: string): string[] => [
  service,
  `${service}.${namespace}`,
  `${service}.${namespace}.svc`,
  `${service}.${namespace}.svc.${domain}`,
];

/** The kubernetes Service has the first address of each service network. */
const serviceAddresses = memo((networks: readonly string[]): readonly string[] =>
  networks.map((network) => {
    const { family, first } = parseCidr(network);
    return formatAddress({ family, value: first + 1n });
  }),
);

const loopback = (c: ClusterContext): string[] =>
  c.effective.services.some((network) => network.includes(':')) ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
