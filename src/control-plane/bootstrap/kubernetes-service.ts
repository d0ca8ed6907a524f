// Where pods find the API server: the endpoints of default/kubernetes. The API server would write its own address there,
// which no pod reaches.
import { isIPv6 } from 'node:net';
import { contains, parseAddress, parseRange, rangeOf } from '../../core/ip.ts';
import type { KubeObject } from '../../kube/index.ts';
import type { Endpoint } from '../../plan/schema/index.ts';

/** Kubernetes takes none of these, because in a pod they would be something else. */
const neverEndpoints = ['127.0.0.0/8', '169.254.0.0/16', '::1', 'fe80::/10'].map(parseRange);

export const usableAddresses = ({ kubernetesService }: Endpoint): string[] =>
  kubernetesService.addresses.filter((address) => {
    const range = rangeOf(parseAddress(address));
    return !neverEndpoints.some((never) => contains(never, range));
  });

export function kubernetesServiceObjects(endpoint: Endpoint): KubeObject[] {
  const { port } = endpoint.kubernetesService;
  const addresses = usableAddresses(endpoint);
  if (port === null || addresses.length === 0) return [];
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const families = [
    { name: 'kubernetes', addressType: 'IPv4', of: addresses.filter((address) => !isIPv6(address)) },
    { name: 'kubernetes-ipv6', addressType: 'IPv6', of: addresses.filter(isIPv6) },
  ].filter(({ of }) => of.length > 0);
  return [
    ...families.map(({ name, addressType, of }) => slice(name, addressType, of, ports)),
    // For those who still read the old kind; the label says that nobody needs to make a slice of it.
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...place('kubernetes'), labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }],
    },
  ];
}

const place = (name: string): { name: string; namespace: string } => ({ name, namespace: 'default' });

const slice = (name: string, addressType: string, addresses: readonly string[], ports: object[]): KubeObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...place(name), labels: { 'kubernetes.io/service-name': 'kubernetes' } },
  addressType,
  endpoints: [{ addresses, conditions: { ready: true } }],
  ports,
});
