// The platform tells totals; how fast they grow is seen from two tellings.
import type { TopologyEdge, Traffic } from '../../api/types.ts';
import { ago } from '../format.ts';

export interface Rate {
  /** Bytes per second from clients, and to them. */
  readonly in: number;
  readonly out: number;
}

export interface Sample {
  readonly at: number;
  readonly totals: ReadonlyMap<string, Traffic>;
}

export type Rates = ReadonlyMap<string, Rate>;

export const sampleOf = (
  at: number,
  counted: readonly { readonly id: string; readonly traffic?: Traffic }[],
): Sample => ({
  at,
  totals: new Map(counted.flatMap(({ id, traffic }) => (traffic === undefined ? [] : [[id, traffic]]))),
});

/** A total that has shrunk was counted anew, after a restart: that says nothing about its pace. */
export function ratesBetween(before: Sample, after: Sample): Rates {
  const seconds = (after.at - before.at) / 1000;
  if (seconds <= 0) return new Map();
  const pace = (earlier: number, later: number): number => Math.max(0, later - earlier) / seconds;
  return new Map(
    [...after.totals].flatMap(([id, later]) => {
      const earlier = before.totals.get(id);
      if (earlier === undefined) return [];
      return [[id, { in: pace(earlier.bytesIn, later.bytesIn), out: pace(earlier.bytesOut, later.bytesOut) }] as const];
    }),
  );
}

type Seen = Pick<TopologyEdge, 'lastWorked' | 'healthy' | 'starting'>;

/** Undefined where nobody looks, so that nobody can know. */
export function lastWorkedText({ lastWorked, healthy, starting }: Seen, now: number): string | undefined {
  if (lastWorked === undefined) return healthy === undefined && starting === undefined ? undefined : 'never';
  if (healthy === true) return ago(lastWorked, now);
  return `${ago(lastWorked, now)}, at ${new Date(lastWorked).toLocaleString()}`;
}
