// What came through trunks and waits for readers that do not take it. Windows bound it for each connection; this bounds it
// for a trunk, and for all trunks of the process. At the bound the trunk is not read, so that its agent waits. Where that does
// not help within a moment, the connections that hold most are reset: their readers stand still.

const mebibyte = 1024 * 1024;
/** Windows of a hundred connections that stand still, and some more. */
export const trunkLimit = 64 * mebibyte;
export const processLimit = 256 * mebibyte;
/** A trunk that holds less is not held responsible for all of them together. */
const innocent = mebibyte;
/** So long a trunk that is over its bound waits for its readers; an agent takes a silent gateway for dead later. */
const waitMs = 2000;
/** Where readers did not take anything a moment ago, they are not waited for again. */
const againMs = 50;
const rememberedMs = 10_000;

export class ReceiveBudget {
  readonly limit: number;
  readonly perTrunk: number;
  held = 0;

  constructor(limit = processLimit, perTrunk = trunkLimit) {
    this.limit = limit;
    this.perTrunk = perTrunk;
  }
}

const ofProcess = new ReceiveBudget();

export interface BudgetOwner {
  readingChanged(): void;
  /** Resets connections until so many bytes are free. */
  shed(bytes: number): void;
}

export class TrunkBudget {
  readonly #budget: ReceiveBudget;
  readonly #owner: BudgetOwner;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;
  #shedAt = Number.NEGATIVE_INFINITY;
  /** The trunk is not to be read. */
  exceeded = false;

  constructor(owner: BudgetOwner, budget = ofProcess) {
    this.#owner = owner;
    this.#budget = budget;
  }

  /** Windows do not grow any more. */
  get pressed(): boolean {
    return this.#isOver(2);
  }
  /** A part of what is allowed: 1 is all of it. */
  #isOver(part: number): boolean {
    const { held, limit, perTrunk } = this.#budget;
    return this.#held > perTrunk / part || (held > limit / part && this.#held > innocent);
  }

  add(bytes: number): void {
    this.#held += bytes;
    this.#budget.held += bytes;
    if (this.exceeded || !this.#isOver(1)) return;
    this.exceeded = true;
    this.#wait();
    this.#owner.readingChanged();
  }
  remove(bytes: number): void {
    this.#held -= bytes;
    this.#budget.held -= bytes;
    if (!this.exceeded || this.#isOver(4 / 3)) return;
    this.exceeded = false;
    clearTimeout(this.#timer);
    this.#owner.readingChanged();
  }
  /** The trunk is gone; what is left of it is taken or dropped by its readers. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
  #waited(): void {
    if (!this.exceeded) return;
    this.#shedAt = performance.now();
    this.#owner.shed(this.#held / 2);
    // Others may hold what is missing: they wait for themselves.
    if (this.exceeded) this.#wait();
  }
  #wait(): void {
    const again = performance.now() - this.#shedAt < rememberedMs;
    this.#timer = setTimeout(() => this.#waited(), again ? againMs : waitMs).unref();
  }
}
