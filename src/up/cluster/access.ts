// How a client on this machine gets to a cluster, without any name being known to DNS: by address, and with the name
// that the gateway routes by and that stands in the certificate.
import { isIP } from 'node:net';
import type { Access } from '../../control-plane/control-plane.ts';
import { hostPort } from '../../net/host-port.ts';
import type { Plan } from '../../plan/schema/index.ts';

/** Undefined until its address and port are chosen. */
export function accessOf(plan: Plan, cluster: string): Access | undefined {
  const endpoint = plan.endpoints[cluster];
  const url = endpoint?.kubeconfigServer == null ? undefined : new URL(endpoint.kubeconfigServer);
  if (endpoint === undefined || url === undefined) return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return { server: url.origin };
  const [address] = gatewayAddresses(plan, endpoint.seed);
  if (address === undefined) return { server: url.origin };
  return { server: `https://${hostPort(address, Number(url.port || 443))}`, serverName: host };
}

/** Single addresses, which the shared ports of a seed's gateway are opened on. */
export const gatewayAddresses = (plan: Plan, seed: string): string[] =>
  (plan.places[`seed/${seed}/gateway`]?.networks ?? []).map((network) => network.replace(/\/(32|128)$/, ''));
