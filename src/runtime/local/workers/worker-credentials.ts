// What a worker was given, in files that its programs read, and given again before it ends. The programs read them again
// by themselves.

import { existsSync, rmSync } from 'node:fs';
import { demoNodeName, kubeconfigText } from '../../../control-plane/index.ts';
import { readPrivate, writePrivate } from '../../../sys/private-files.ts';
import type { NodeCredentials } from '../../platform-runtime.ts';
import { accessTo, type Upstreams } from './upstreams.ts';
import type { WorkerInput } from './worker-input.ts';
import type { WorkerLayout } from './worker-layout.ts';

/** Of the token at the tunnel. */
const tunnelTokenMs = 60 * 60_000;
/** After an attempt that failed. */
const retryMs = 10_000;

export class WorkerCredentials {
  readonly #now: () => number;
  #known: NodeCredentials | undefined;
  #renewAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  isDue(): boolean {
    return this.#now() >= this.#renewAt;
  }

  /** Writes what has changed, and asks for new ones where it is time. */
  async apply(input: WorkerInput, layout: WorkerLayout, upstreams: Upstreams): Promise<NodeCredentials> {
    const { files } = layout;
    const lacksToken = wantsTunnelToken(input) && !existsSync(files.tunnelToken);
    const known = (!lacksToken && !this.isDue() && this.#known) || (await this.#renew(input, layout));
    const user = 'token' in known.user ? { tokenFile: files.token } : { certFile: files.cert, keyFile: files.key };
    keep(files.kubeconfig, kubeconfigText(accessTo(upstreams.apiServer), { file: files.ca }, user));
    const { credentials } = upstreams.apiServer.proxy ?? {};
    if (credentials !== undefined) keep(files.proxyCredentials, `${credentials.user}:${credentials.password}\n`);
    return known;
  }

  async #renew(input: WorkerInput, { files }: WorkerLayout): Promise<NodeCredentials> {
    const now = this.#now();
    // Should it fail, it is tried again then, and not at every look.
    this.#renewAt = now + retryMs;
    const given = await input.credentials();
    keep(files.ca, given.ca);
    // Upstream's agent sends all that is in the file.
    keep(files.konnectivityToken, given.konnectivityToken);
    if ('token' in given.user) keep(files.token, given.user.token);
    else {
      keep(files.key, given.user.key);
      keep(files.cert, given.user.cert);
    }
    const ends = Math.min(given.expiresAt, await this.#renewTunnelToken(input, files.tunnelToken));
    // A third of the time is for whatever may go wrong meanwhile.
    this.#renewAt = now + ((ends - now) * 2) / 3;
    this.#known = given;
    return given;
  }

  /** When it ends. One agent stands for all nodes of a demo, by the name of the first. */
  async #renewTunnelToken(input: WorkerInput, file: string): Promise<number> {
    if (!wantsTunnelToken(input)) {
      rmSync(file, { force: true });
      return Number.POSITIVE_INFINITY;
    }
    const { token, expiresAt } = await input.tunnelToken(demoNodeName(input.cluster, 1), tunnelTokenMs);
    keep(file, `${token}\n`);
    return expiresAt;
  }
}

const wantsTunnelToken = ({ endpoint }: WorkerInput): boolean => endpoint.tunnel?.authentication === 'token';

function keep(file: string, text: string): void {
  if (readPrivate(file) !== text) writePrivate(file, text);
}
