// What the agent has done so far.

export interface Counters {
  accepted: number;
  open: number;
  /** Wait for a gateway. */
  waiting: number;
  /** Bytes of connections that have ended; open ones have their own meters. */
  sentBefore: number;
  receivedBefore: number;
  /** Connections that were not carried to their end, by reason. */
  readonly failed: Map<string, number>;
}

export const newCounters = (): Counters => ({
  accepted: 0,
  open: 0,
  waiting: 0,
  sentBefore: 0,
  receivedBefore: 0,
  failed: new Map(),
});

export const countFailure = ({ failed }: Counters, reason: string): void =>
  void failed.set(reason, (failed.get(reason) ?? 0) + 1);
