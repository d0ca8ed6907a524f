/** Milliseconds. */
export interface Pace {
  /** Between two questions to a component that works. */
  readonly probe: number;
  /** Between two questions to one that is starting. */
  readonly startingProbe: number;
  /** Before the first restart; each one after that waits twice as long. */
  readonly firstRestart: number;
  readonly mostRestart: number;
  /** After a failure that trying again soon would not help. */
  readonly lastingRestart: number;
  /** As long as this without a break, and the next restart is the first one again. */
  readonly steady: number;
  /** Without any answer as long as this, what has worked before is ended and started again. */
  readonly silence: number;
  /** How long a scope may take to claim what an earlier driver left running. */
  readonly claim: number;
}

export const usualPace: Pace = {
  probe: 1000,
  startingProbe: 50,
  firstRestart: 300,
  mostRestart: 30_000,
  lastingRestart: 10 * 60_000,
  steady: 20_000,
  silence: 120_000,
  claim: 60_000,
};
