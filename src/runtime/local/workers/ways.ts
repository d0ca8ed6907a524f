// How each program of a worker gets to the seed: as planned, and without any name being known to DNS. Directly, it dials
// the gateway's address and tells the name; through the proxy it dials the name, which the proxy knows.
import { isIP } from 'node:net';
import type { Access } from '../../../control-plane/control-plane.ts';
import { CausewayError } from '../../../core/errors.ts';
import { type HostPort, hostPort, parseHostPort } from '../../../net/host-port.ts';
import type { WorkerInput, WorkerProxy } from './worker-input.ts';

export interface Way {
  readonly dial: HostPort;
  /** What the other end is called in its certificate, and what the gateway routes by. */
  readonly serverName: string;
  readonly proxy?: WorkerProxy;
}

export interface Ways {
  readonly apiServer: Way;
  readonly konnectivity: Way;
  /** Only with Tunneling. */
  readonly tunnel?: Way;
}

type Planned = Pick<WorkerInput, 'cluster' | 'reachability' | 'gateway'>;

export function waysOf(input: Planned, proxy: WorkerProxy | undefined): Ways {
  const { kubelet, konnectivityAgent, nodeAgent } = input.reachability;
  const way = (planned: typeof kubelet): Way => wayBy(input, planned, proxy);
  return {
    apiServer: way(kubelet),
    konnectivity: way(konnectivityAgent),
    ...(nodeAgent && { tunnel: way(nodeAgent) }),
  };
}

function wayBy(input: Planned, { by, target }: { by: string; target: string }, proxy: WorkerProxy | undefined): Way {
  const place = parseHostPort(target);
  if (place === undefined) throw noAddress(input.cluster);
  if (by !== 'direct') return { dial: place, serverName: place.host, ...(proxy && { proxy }) };
  const host = isIP(place.host) > 0 ? place.host : input.gateway.address;
  return { dial: { host, port: place.port }, serverName: place.host };
}

/** All that the workers dial, as the plan names it. */
export const targetsOf = ({ reachability: { kubelet, konnectivityAgent, nodeAgent } }: Planned): HostPort[] =>
  [kubelet, konnectivityAgent, nodeAgent].flatMap((way) => (way && parseHostPort(way.target)) ?? []);

/** As a kubeconfig says it. */
export function accessBy({ dial, serverName, proxy }: Way): Access {
  const server = `https://${hostPort(dial.host, dial.port)}`;
  return {
    server,
    ...(serverName === dial.host ? {} : { serverName }),
    ...(proxy === undefined ? {} : { proxy: proxyUrl(proxy) }),
  };
}

/** With its credentials, for programs that take them no other way. */
export function proxyUrl({ url, credentials }: WorkerProxy): string {
  if (credentials === undefined) return url;
  const { protocol, host } = new URL(url);
  const [user, password] = [credentials.user, credentials.password].map(encodeURIComponent);
  return `${protocol}//${user}:${password}@${host}`;
}

const noAddress = (cluster: string): CausewayError =>
  new CausewayError(
    'CW-WORKER-WAY',
    `nobody knows yet where the control plane of ${cluster} is reached`,
    'run causeway plan --lock, which chooses addresses and ports',
  );
