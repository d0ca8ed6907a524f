// From what was measured to rows.
import type { Row } from '../row.ts';

/** One subject in one round. */
export interface Measured {
  readonly figure: number;
  /** Processor time per unit of work; absent for the wire. */
  readonly cost?: number;
}

export type BySubject<Value> = Record<string, Value>;

/** What the goal of every row is held against. */
export const goalPeer = 'envoy';
export const ourName = 'causeway';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};

export interface Judged {
  readonly name: string;
  readonly unit: string;
  readonly costUnit?: string;
  readonly goal: string;
  readonly met: (ours: number, peer: number) => boolean;
}

export const atLeast = (factor: number): Pick<Judged, 'goal' | 'met'> => ({
  goal: `≥ ${factor.toFixed(1)} × ${goalPeer}`,
  met: (ours, peer) => ours >= factor * peer,
});
export const atMostPeer: Pick<Judged, 'goal' | 'met'> = {
  goal: `≤ ${goalPeer}`,
  met: (ours, peer) => ours <= peer,
};

export function rowOf(judged: Judged, rounds: readonly BySubject<Measured>[]): Row {
  const subjects = Object.keys(rounds[0] ?? {});
  const figures = perSubject(subjects, (name) => rounds.map((round) => round[name]?.figure ?? Number.NaN));
  const { [ourName]: ours = Number.NaN, ...peers } = perSubject(subjects, (name) => median(figures[name] ?? []));
  const peer = peers[goalPeer];
  const ratio = pairedRatio(figures[ourName] ?? [], figures[goalPeer] ?? []);
  return {
    name: judged.name,
    unit: judged.unit,
    ours,
    peers,
    ratio,
    goal: judged.goal,
    met: peer === undefined || (ratio === null ? judged.met(ours, peer) : judged.met(ratio, 1)),
    ...(judged.costUnit === undefined ? {} : { cost: costs(judged.costUnit, subjects, rounds) }),
    rounds: figures,
  };
}

/**
 * The median of the rounds' ratios, not the ratio of medians: both of a round had the same machine, which may be half as
 * fast in the next. Added latency can be lost in the noise of the wire's own, below zero even: then a ratio says nothing.
 */
function pairedRatio(ours: readonly number[], peer: readonly number[]): number | null {
  const ratios = ours.map((figure, round) =>
    figure > 0 && (peer[round] ?? 0) > 0 ? figure / (peer[round] ?? 0) : NaN,
  );
  return ratios.length === 0 || ratios.some(Number.isNaN) ? null : median(ratios);
}

function costs(unit: string, subjects: readonly string[], rounds: readonly BySubject<Measured>[]): Row['cost'] {
  const known = subjects.filter((name) => rounds.every((round) => round[name]?.cost !== undefined));
  return { unit, of: perSubject(known, (name) => median(rounds.map((round) => round[name]?.cost ?? Number.NaN))) };
}

const perSubject = <Value>(subjects: readonly string[], of: (name: string) => Value): BySubject<Value> =>
  Object.fromEntries(subjects.map((name) => [name, of(name)]));
