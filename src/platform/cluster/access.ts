// How a client on this machine gets to a cluster, without any name being known to DNS: by address, and with the name
// that the gateway routes by and that stands in the certificate.
import { isIP } from 'node:net';
import type { Access } from '../../control-plane/index.ts';
import { hostPort } from '../../core/host-port.ts';
import { memo, memoLast } from '../../core/memo.ts';
import { seedPlace } from '../../plan/index.ts';
import type { Endpoint, Plan } from '../../plan/schema/index.ts';

/** Undefined until its address and port are chosen. */
export function accessOf(plan: Plan, cluster: string): Access | undefined {
  const endpoint = plan.endpoints[cluster];
  if (endpoint === undefined) return undefined;
  const [address] = gatewayAddresses(plan, endpoint.seed);
  return known(endpoint, [address], () => accessTo(endpoint, address));
}

/** Of every cluster it is asked again and again, and addresses are slow to read. */
const known = memoLast<Endpoint, Access | undefined>();

function accessTo({ kubeconfigServer }: Endpoint, address: string | undefined): Access | undefined {
  if (kubeconfigServer === null) return undefined;
  const url = new URL(kubeconfigServer);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 || address === undefined) return { server: url.origin };
  return { server: `https://${hostPort(address, Number(url.port || 443))}`, serverName: host };
}

/** Single addresses, which the shared ports of a seed's gateway are opened on. */
export const gatewayAddresses = (plan: Plan, seed: string): readonly string[] =>
  addressesOf(plan.places[seedPlace(seed, 'gateway')]?.networks ?? none);

const none: readonly string[] = [];
const addressesOf = memo((networks: readonly string[]) =>
  networks.map((network) => network.replace(/\/(32|128)$/, '')),
);
