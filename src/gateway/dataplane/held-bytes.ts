// What was read for others who do not take it: at most one chunk for each direction of a connection, and all of them together
// are bounded. When it is too much, connections of the cluster that holds most are reset on which nothing moves, those first
// that stood still for longest. Those that move are only slow: they are spared up to twice as much.

const mebibyte = 1024 * 1024;
export const workerLimit = 256 * mebibyte;
/** What one cluster may hold of it. */
const clusterPart = 1 / 2;
/** Down to here it is made room. */
const wantedPart = 3 / 4;
/** So long nothing moved on a connection whose reader stands still. */
const stalledMs = 2000;
const againMs = 500;

/** A cluster, as far as held bytes are concerned. */
export interface ByteHolder {
  heldBytes: number;
}

/** One of its connections. */
export interface HoldingConnection {
  readonly cluster: ByteHolder;
  readonly heldBytes: number;
  readonly quietSince: number;
  /** Its readers stand still, and others need the memory. */
  shed(): void;
}

export class HeldBytes {
  readonly #limit: number;
  readonly #clock: () => number;
  readonly #connections: () => readonly HoldingConnection[];
  #total = 0;
  #scheduled = false;

  constructor(connections: () => readonly HoldingConnection[], clock: () => number, limit = workerLimit) {
    this.#connections = connections;
    this.#clock = clock;
    this.#limit = limit;
  }

  get total(): number {
    return this.#total;
  }

  change(cluster: ByteHolder, by: number): void {
    cluster.heldBytes += by;
    this.#total += by;
    if (by <= 0 || !this.#isTooMuch(cluster, 1)) return;
    // Not in the middle of what a wire tells.
    if (!this.#scheduled) setImmediate(shedOf, this);
    this.#scheduled = true;
  }
  #isTooMuch({ heldBytes }: ByteHolder, times: number): boolean {
    return this.#total > times * this.#limit || heldBytes > times * this.#limit * clusterPart;
  }

  shed(): void {
    const now = this.#clock();
    let isTooMuch = false;
    const holding = this.#connections().filter(({ heldBytes }) => heldBytes > 0);
    const byCluster = [...Map.groupBy(holding, ({ cluster }) => cluster)];
    for (const [cluster, connections] of byCluster.sort(([one], [other]) => other.heldBytes - one.heldBytes)) {
      if (this.#isTooMuch(cluster, 1)) this.#shedFrom(cluster, connections, now);
      isTooMuch ||= this.#isTooMuch(cluster, 1);
    }
    this.#scheduled = isTooMuch;
    if (isTooMuch) setTimeout(shedOf, againMs, this).unref();
  }
  #shedFrom(cluster: ByteHolder, connections: HoldingConnection[], now: number): void {
    const most = this.#limit * clusterPart * wantedPart;
    const stalledBefore = this.#isTooMuch(cluster, 2) ? Number.POSITIVE_INFINITY : now - stalledMs;
    for (const connection of connections.sort((one, other) => one.quietSince - other.quietSince)) {
      const isEnough = cluster.heldBytes <= most && this.#total <= this.#limit * wantedPart;
      if (isEnough || connection.quietSince > stalledBefore) return;
      connection.shed();
    }
  }
}

const shedOf = (held: HeldBytes): void => held.shed();
