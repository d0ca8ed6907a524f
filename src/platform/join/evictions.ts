// Which nodes are shut out of which cluster. Kept with the platform and not in the cluster, so that no backup of a cluster
// that is restored lets a node in again.
import { CausewayError, exitCodes } from '../../core/errors.ts';
import type { SnapshotCluster } from '../../gateway/index.ts';
import type { PlatformState } from '../../runtime/platform-runtime.ts';

export interface Eviction {
  readonly node: string;
  /** Milliseconds. */
  readonly evictedAt: number;
}

interface Kept extends Eviction {
  /** It may come in again, by tokens that were issued since. */
  readonly readmittedAt?: number;
}

type Texts = Pick<PlatformState, 'read' | 'write'>;
const name = 'evicted-nodes';

export class Evictions {
  readonly #state: Texts;
  #kept: Readonly<Record<string, readonly Kept[]>>;

  constructor(state: Texts) {
    this.#state = state;
    this.#kept = read(state);
  }

  /** Those that are shut out of this cluster now. */
  of(cluster: string): readonly Eviction[] {
    return this.#of(cluster)
      .filter(({ readmittedAt }) => readmittedAt === undefined)
      .map(({ node, evictedAt }) => ({ node, evictedAt }));
  }

  isEvicted(cluster: string, node: string): boolean {
    return this.of(cluster).some((one) => one.node === node);
  }

  /** Whether any node ever was: no token is given to all nodes of such a cluster any more. */
  hasAny(cluster: string): boolean {
    return this.#of(cluster).length > 0;
  }

  /** Written down before anybody acts on it. */
  evict(cluster: string, node: string, now: number): void {
    this.#put(cluster, { node, evictedAt: now });
  }

  /** False where it was not shut out. */
  readmit(cluster: string, node: string, now: number): boolean {
    const known = this.#of(cluster).find((one) => one.node === node && one.readmittedAt === undefined);
    if (known !== undefined) this.#put(cluster, { ...known, readmittedAt: now });
    return known !== undefined;
  }

  /** Of a cluster that was deleted: another one of its name has other keys, and other machines. */
  forget(cluster: string): void {
    if (!this.hasAny(cluster)) return;
    const { [cluster]: _, ...others } = this.#kept;
    this.#write(others);
  }

  /** What its gateway must know. */
  snapshotOf(cluster: string): Pick<SnapshotCluster, 'evictedNodes' | 'unboundTokensFrom'> {
    const kept = this.#of(cluster);
    if (kept.length === 0) return {};
    const evictedNodes = kept.map(({ node, readmittedAt }) => ({
      name: node,
      ...(readmittedAt === undefined ? {} : { issuedBefore: seconds(readmittedAt) }),
    }));
    // In the same second it may have been before.
    return { evictedNodes, unboundTokensFrom: seconds(Math.max(...kept.map(({ evictedAt }) => evictedAt))) + 1 };
  }

  #of(cluster: string): readonly Kept[] {
    return Object.hasOwn(this.#kept, cluster) ? (this.#kept[cluster] ?? []) : [];
  }

  #put(cluster: string, kept: Kept): void {
    const others = this.#of(cluster).filter(({ node }) => node !== kept.node);
    this.#write({ ...this.#kept, [cluster]: [...others, kept] });
  }

  #write(kept: Readonly<Record<string, readonly Kept[]>>): void {
    this.#state.write(name, `${JSON.stringify(kept, undefined, 2)}\n`);
    this.#kept = kept;
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Without it nodes would be let in that were shut out: whoever cannot read it does not start. */
function read(state: Texts): Readonly<Record<string, readonly Kept[]>> {
  const text = state.read(name);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isKept(value)) return value;
  } catch {
    // Said below.
  }
  throw new CausewayError(
    'CW-UP-EVICTIONS',
    `the list of evicted nodes (${name}.json in the platform’s state) cannot be read`,
    'bring it back from a backup of the state, or move it away and evict the nodes again with "causeway cluster evict-node"',
    exitCodes.internal,
  );
}

function isKept(value: unknown): value is Readonly<Record<string, readonly Kept[]>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (list) =>
      Array.isArray(list) &&
      list.every(
        (one: Partial<Kept> | null) =>
          typeof one?.node === 'string' &&
          typeof one.evictedAt === 'number' &&
          ['number', 'undefined'].includes(typeof one.readmittedAt),
      ),
  );
}
