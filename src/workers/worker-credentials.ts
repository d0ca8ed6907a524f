// What a worker was given, in files that its programs read, and given again before it ends. The programs read them again
// by themselves.

import { kubeconfigText } from '../control-plane/kubeconfig.ts';
import { readPrivate, writePrivate } from '../control-plane/private-files.ts';
import { accessBy, type Ways } from './ways.ts';
import type { NodeCredentials, WorkerInput } from './worker-input.ts';
import type { WorkerPlace } from './worker-place.ts';

/** Of the token at the tunnel. */
const tunnelTokenMs = 60 * 60_000;

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
  async bring(input: WorkerInput, place: WorkerPlace, ways: Ways): Promise<NodeCredentials> {
    const known = this.#known === undefined || this.isDue() ? await this.#renew(input, place) : this.#known;
    const { files } = place;
    const user = 'token' in known.user ? { tokenFile: files.token } : { certFile: files.cert, keyFile: files.key };
    keep(files.kubeconfig, kubeconfigText(accessBy(ways.apiServer), { file: files.ca }, user));
    const { credentials } = ways.apiServer.proxy ?? {};
    if (credentials !== undefined) keep(files.proxyCredentials, `${credentials.user}:${credentials.password}\n`);
    return known;
  }

  async #renew(input: WorkerInput, { files }: WorkerPlace): Promise<NodeCredentials> {
    const given = await input.credentials();
    const now = this.#now();
    keep(files.ca, given.ca);
    // Upstream's agent sends all that is in the file.
    keep(files.konnectivityToken, given.konnectivityToken);
    if ('token' in given.user) keep(files.token, given.user.token);
    else {
      keep(files.key, given.user.key);
      keep(files.cert, given.user.cert);
    }
    if (input.endpoint.tunnel?.authentication === 'token')
      keep(files.tunnelToken, `${input.tunnelToken(tunnelTokenMs)}\n`);
    const ends = Math.min(given.expiresAt, now + tunnelTokenMs);
    // A third of the time is for whatever may go wrong meanwhile.
    this.#renewAt = now + ((ends - now) * 2) / 3;
    this.#known = given;
    return given;
  }
}

function keep(file: string, text: string): void {
  if (readPrivate(file) !== text) writePrivate(file, text);
}
