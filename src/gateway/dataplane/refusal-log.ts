// Says why connections were refused: each reason of each cluster (or listener) at once when it is new, then once per
// interval with the number of those that were not told one by one. A flood of refusals must not become a flood of lines.
import type { Log } from '../../sys/log.ts';
import { type RefusalCode, refusals } from '../refusals.ts';
import type { RefusedPeer } from './interfaces.ts';

const intervalMs = 10_000;
const longestName = 100;

interface Told {
  readonly about: RefusedPeer;
  readonly address: string;
  until: number;
  untold: number;
}

export class RefusalLog {
  readonly #log: Log;
  readonly #told = new Map<RefusalCode, Map<string, Told>>();

  constructor(log: Log) {
    this.#log = log;
  }

  note(code: RefusalCode, about: RefusedPeer, now: number): void {
    const where = placeOf(about);
    const ofCode = this.#ofCode(code);
    const told = ofCode.get(where);
    if (told !== undefined) {
      told.untold += 1;
      return;
    }
    const first = { about, address: about.remote.address, until: now + intervalMs, untold: 0 };
    ofCode.set(where, first);
    this.#write(code, first, 1);
  }
  #ofCode(code: RefusalCode): Map<string, Told> {
    let ofCode = this.#told.get(code);
    if (ofCode === undefined) {
      ofCode = new Map();
      this.#told.set(code, ofCode);
    }
    return ofCode;
  }

  /** To be called now and then. */
  tick(now: number): void {
    for (const [code, ofCode] of this.#told)
      for (const [where, told] of ofCode) {
        if (told.until > now) continue;
        if (told.untold > 0) this.#write(code, told, told.untold);
        else ofCode.delete(where);
        told.until = now + intervalMs;
        told.untold = 0;
      }
  }

  #write(code: RefusalCode, { about, address }: Told, count: number): void {
    const { sentence, fix } = refusals[code];
    this.#log.warn(sentence, {
      refusal: code,
      count,
      cluster: about.target?.cluster.name ?? about.identity?.cluster,
      node: about.identity?.node,
      service: about.target?.service,
      listener: about.listener.kind,
      port: about.listener.port,
      client: address,
      name: about.name === undefined || about.name === '' ? undefined : shown(about.name),
      detail: about.detail === undefined || about.detail === '' ? undefined : shown(about.detail),
      fix,
    });
  }
}

/** Nodes one by one: they were told apart by their credentials, so nobody can make them up. */
const placeOf = ({ target, identity, listener }: RefusedPeer): string =>
  identity?.node === undefined
    ? (target?.cluster.name ?? identity?.cluster ?? listener.kind)
    : `${identity.cluster}/${identity.node}`;

/** The client chooses the name: nothing of it may end the line, move a cursor, or fill the disk. */
function shown(name: string): string {
  const cut = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return cut.replace(/[^\x20-\x7e…]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
