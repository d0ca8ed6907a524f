// How each program of a worker gets to the seed: as planned, and without any name being known to DNS. Directly, it dials
// the gateway's address and tells the name; through the proxy it dials the name, which the proxy knows.
import { isIP } from 'node:net';
import type { Access } from '../control-plane/control-plane.ts';
import { type HostPort, hostPort, parseHostPort } from '../net/host-port.ts';
import type { WorkerInput, WorkerProxy } from './worker-input.ts';

export interface Way {
  readonly dial: HostPort;
  /** What the other end is called in its certificate, and what the gateway routes by. */
  readonly serverName: string;
  readonly proxy?: WorkerProxy;
}

export type Service = 'apiServer' | 'konnectivity' | 'tunnel';

type WayInput = Pick<WorkerInput, 'reachability' | 'gateway' | 'proxy'>;

/** Undefined until it is known where to dial. */
export function wayTo(service: Service, input: WayInput): Way | undefined {
  const { reachability, gateway, proxy } = input;
  const planned = { apiServer: 'kubelet', konnectivity: 'konnectivityAgent', tunnel: 'nodeAgent' } as const;
  const way = reachability[planned[service]];
  const target = way && parseHostPort(way.target);
  if (way === undefined || target === undefined) return undefined;
  if (way.by !== 'direct') return { dial: target, serverName: target.host, ...(proxy && { proxy }) };
  const host = isIP(target.host) > 0 ? target.host : gateway.address;
  return { dial: { host, port: target.port }, serverName: target.host };
}

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
