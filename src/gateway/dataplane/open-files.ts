// Open files of a worker. The system gives a process so many, and what fails when there are none left is whoever comes next:
// so they are counted, each cluster has a small share that nobody else gets, and who wants more than that is refused before
// the last one is used.

/** Of each cluster: some connections with two files each. It is smaller where there are many clusters or few files. */
const largestShare = 64;
/** One connection. */
const smallestShare = 2;
/** For clients that have not said yet what they want: who uses much must leave so many. */
const mostForNewcomers = 64;
/** For clients that read why they were refused. */
const mostLingering = 1000;

/** A cluster, as far as files are concerned. */
export interface FileHolder {
  files: number;
}

export class OpenFiles {
  readonly #limit: () => number;
  readonly #used: () => number;
  #lastLimit = Number.NaN;
  #clusters = 0;
  #share = largestShare;
  /** Of all shares together. */
  #guaranteed = 0;
  #usedOfShares = 0;

  /** `limit`: what connections may have in all. `used`: what they have at this moment, but for those that linger. */
  constructor(limit: () => number, used: () => number) {
    this.#limit = limit;
    this.#used = used;
  }

  /** Clients that may read at a time why they were refused. */
  get mostLingering(): number {
    return Math.min(mostLingering, Math.floor(this.#limit() / 16));
  }
  get #room(): number {
    return this.#limit() - this.mostLingering;
  }
  get #left(): number {
    return this.#room - this.#used();
  }
  get #unusedShares(): number {
    return Math.max(0, this.#guaranteed - this.#usedOfShares);
  }

  /** Shares go by the number of clusters and by the limit; nothing happens while both are the same. */
  configure(clusters: number, holders: Iterable<FileHolder>): void {
    const limit = this.#limit();
    if (clusters === this.#clusters && limit === this.#lastLimit) return;
    this.#clusters = clusters;
    this.#lastLimit = limit;
    const half = this.#room / 2;
    const fair = Math.floor(half / Math.max(1, clusters));
    this.#share = Math.max(smallestShare, Math.min(largestShare, fair));
    this.#guaranteed = Math.min(half, clusters * this.#share);
    this.#usedOfShares = 0;
    for (const { files } of holders) this.#usedOfShares += this.#ofShare(files);
  }
  #ofShare(files: number): number {
    return Math.min(files, this.#share);
  }

  /** Whether a client may be taken that has not said yet what it wants. */
  hasRoomForNewcomer(): boolean {
    return this.#left - this.#unusedShares >= 1;
  }

  /** True: they are the holder's until it gives them back. */
  take(holder: FileHolder, count: number): boolean {
    return this.#takeIf(this.#left - count >= 0, holder, count);
  }
  /** The same for one that is in use already, and that nobody answered for. */
  claim(holder: FileHolder): boolean {
    return this.#takeIf(true, holder, 1);
  }
  #takeIf(isThere: boolean, holder: FileHolder, count: number): boolean {
    const isInShare = holder.files + count <= this.#share;
    if (!isThere || (!isInShare && !this.#hasShared(count))) return false;
    this.#change(holder, count);
    return true;
  }
  /** What nobody has a right to, and newcomers do not need. */
  #hasShared(count: number): boolean {
    const forNewcomers = Math.min(mostForNewcomers, Math.floor(this.#room / 8));
    return this.#left - this.#unusedShares - forNewcomers >= count;
  }
  give(holder: FileHolder, count: number): void {
    this.#change(holder, -count);
  }
  #change(holder: FileHolder, by: number): void {
    const before = this.#ofShare(holder.files);
    holder.files += by;
    this.#usedOfShares += this.#ofShare(holder.files) - before;
  }
}

const outOfFiles: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/** It failed for want of something of this machine, and says nothing about the other side. */
export const isOutOfFiles = (error: Error | undefined): boolean =>
  outOfFiles.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
