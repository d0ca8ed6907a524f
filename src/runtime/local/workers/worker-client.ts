// The API server as a worker reaches it: over its own way, through gateway and proxy, with its own credentials, which are
// read again when their files have changed.
import { readFileSync } from 'node:fs';
import { createKubeClient, dialOver, type KubeClient, type Timing } from '../../../kube/index.ts';
import { hostPort } from '../../../net/host-port.ts';
import type { Log } from '../../../net/log.ts';
import { parseProxyUrl } from '../../../net/proxy-dial/proxy-url.ts';
import type { Route } from '../../../net/proxy-dial/route.ts';
import { type TrustFiles, trustOf } from '../../../net/tls-trust.ts';
import type { Way } from './ways.ts';

export interface WorkerClientOptions {
  readonly way: Way;
  readonly trust: TrustFiles;
  /** Absent where a client certificate says who it is. */
  readonly tokenFile?: string;
  readonly log: Log;
}

/** Longer than a slow API server takes, shorter than people wait. */
const timeoutMs = 15_000;

/** For reflectors: what a worker shows of its way to the API server is to be true soon after it has changed. */
export const workerTiming: Partial<Timing> = { longestPauseMs: 5_000, silenceMs: 90_000 };

export function workerClient({ way, trust, tokenFile, log }: WorkerClientOptions): KubeClient {
  const { dial, serverName, proxy } = way;
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
