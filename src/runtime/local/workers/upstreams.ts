// How each program of a worker gets to the seed: as planned, and without any name being known to DNS. Directly, it dials
// the gateway's address and tells the name; through the proxy it dials the name, which the proxy knows.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Access } from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';
import { type HostPort, hostPort, parseHostPort } from '../../../core/host-port.ts';
import { createKubeClient, dialOver, type KubeClient, type Timing } from '../../../kube/index.ts';
import { parseProxyUrl } from '../../../net/index.ts';
import type { Route } from '../../../net/proxy-dial/index.ts';
import { type TrustFiles, trustOf } from '../../../net/tls/index.ts';
import type { Log } from '../../../sys/log.ts';
import type { WorkerInput, WorkerProxy } from './worker-input.ts';

export interface Upstream {
  readonly dial: HostPort;
  /** What the other end is called in its certificate, and what the gateway routes by. */
  readonly serverName: string;
  readonly proxy?: WorkerProxy;
}

export interface Upstreams {
  readonly apiServer: Upstream;
  readonly konnectivity: Upstream;
  /** Only with Tunneling. */
  readonly tunnel?: Upstream;
}

type Planned = Pick<WorkerInput, 'cluster' | 'reachability' | 'gateway'>;

export function upstreamsOf(input: Planned, proxy: WorkerProxy | undefined): Upstreams {
  const { kubelet, konnectivityAgent, nodeAgent } = input.reachability;
  const upstream = (planned: typeof kubelet): Upstream => upstreamBy(input, planned, proxy);
  return {
    apiServer: upstream(kubelet),
    konnectivity: upstream(konnectivityAgent),
    ...(nodeAgent && { tunnel: upstream(nodeAgent) }),
  };
}

function upstreamBy(
  input: Planned,
  { by, target }: { by: string; target: string },
  proxy: WorkerProxy | undefined,
): Upstream {
  const address = parseHostPort(target);
  if (address === undefined) throw noAddress(input.cluster);
  if (by !== 'direct') return { dial: address, serverName: address.host, ...(proxy && { proxy }) };
  const host = isIP(address.host) > 0 ? address.host : input.gateway.address;
  return { dial: { host, port: address.port }, serverName: address.host };
}

/** All that the workers dial, as the plan names it. */
export const targetsOf = ({ reachability: { kubelet, konnectivityAgent, nodeAgent } }: Planned): HostPort[] =>
  [kubelet, konnectivityAgent, nodeAgent].flatMap((upstream) => (upstream && parseHostPort(upstream.target)) ?? []);

/** As a kubeconfig says it. */
export function accessTo({ dial, serverName, proxy }: Upstream): Access {
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

// The API server as a worker reaches it: over its own way, through gateway and proxy, with its own credentials, which are
// read again when their files have changed.

interface WorkerClientOptions {
  readonly upstream: Upstream;
  readonly trust: TrustFiles;
  /** Absent where a client certificate says who it is. */
  readonly tokenFile?: string;
  readonly log: Log;
}

/** Longer than a slow API server takes, shorter than people wait. */
const timeoutMs = 15_000;

/** For reflectors: what a worker shows of its way to the API server is to be true soon after it has changed. */
export const workerTiming: Partial<Timing> = { longestPauseMs: 5_000, silenceMs: 90_000 };

export function workerClient({ upstream, trust, tokenFile, log }: WorkerClientOptions): KubeClient {
  const { dial, serverName, proxy } = upstream;
  const credentials = proxy?.credentials;
  const route: Route = {
    gateway: dial,
    tls: { serverName, alpn: ['http/1.1'], trusting: trustOf(trust, { log }) },
    ...(proxy && { proxy: () => ({ ...parseProxyUrl(proxy.url), ...(credentials && { credentials }) }) }),
  };
  return createKubeClient({
    server: `https://${hostPort(serverName, dial.port)}`,
    dial: dialOver(route),
    timeoutMs,
    ...(tokenFile !== undefined && { token: () => readFileSync(tokenFile, 'utf8').trim() }),
  });
}
