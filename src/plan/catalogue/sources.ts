// What rows are filled in from. Lists are computed once per plan, however many rows use them.
import type { PlanContext } from '../context.ts';
import type { Plan } from '../schema/index.ts';

/** The parts of a plan that rows look at; what is remembered of the last plan depends on these alone. */
export type PlanSoFar = Pick<Plan, 'dns' | 'egress' | 'places'>;

export interface Sources {
  readonly ctx: PlanContext;
  readonly plan: PlanSoFar;
  readonly known: Map<unknown, unknown>;
}
export type List = (sources: Sources) => readonly string[];

export const sourcesOf = (ctx: PlanContext, plan: PlanSoFar): Sources => ({ ctx, plan, known: new Map() });

/** Computes a value at its first use and keeps it for the rest of the plan. */
export function once<Value>(make: (sources: Sources) => Value): (sources: Sources) => Value {
  const get = (sources: Sources): Value => {
    const { known } = sources;
    if (!known.has(get)) known.set(get, make(sources));
    return known.get(get) as Value;
  };
  return get;
}
