// The rows of the catalogue that apply to this platform, with what they are about and where they are checked from.

import type { Platform } from '../model/schema/index.ts';
import { memoLast } from './cache.ts';
import { toldOf } from './catalogue/cluster-targets.ts';
import { catalogue, type Row } from './catalogue/index.ts';
import { type List, type PlanSoFar, type Sources, sourcesOf } from './catalogue/sources.ts';
import { plannedFor, platform } from './catalogue/targets.ts';
import type { PlanContext } from './context.ts';
import type { Requirement } from './schema/index.ts';

const lastRequirements = memoLast<Platform, Requirement[]>();

export function planRequirements(ctx: PlanContext, plan: PlanSoFar): Requirement[] {
  const sources = sourcesOf(ctx, plan);
  return lastRequirements(ctx.cache, ctx.model.platform, inputsOf(sources), () =>
    catalogue.filter((row) => row.when === undefined || row.when(sources)).map((row) => requirementOf(row, sources)),
  );
}

/** Everything that rows look at. Most changes of a cluster change none of it. */
const inputsOf = ({ ctx, plan }: Sources): readonly unknown[] => [
  toldOf(ctx),
  plan.egress,
  ...ctx.model.seeds,
  ...ctx.model.datacenters,
  ...ctx.model.pools,
  ...ctx.gateways.values(),
  ...plan.dns.records.flatMap(({ name, place, requirement }) => [name, place, requirement]),
  ...Object.keys(plan.places),
];

const requirementOf = (row: Row, sources: Sources): Requirement => ({
  id: row.id,
  title: row.title,
  kinds: [...row.kinds],
  severity: row.severity,
  targets: targetsOf(row, sources),
  // A vantage that this platform does not have cannot check anything.
  vantages: joined(row.vantages ?? [], sources).filter((place) => sources.plan.places[place] !== undefined),
  clusters: joined(row.clusters === undefined ? [] : [row.clusters], sources),
});

/** What is not decided yet has no name of its own, so the platform stands for it. */
function targetsOf(row: Row, sources: Sources): string[] {
  const targets = joined(row.targets ?? [plannedFor(row.id)], sources);
  return targets.length === 0 ? joined([platform], sources) : targets;
}

/** One list is handed on as it is: most are long and shared by many rows. */
function joined(lists: readonly List[], sources: Sources): string[] {
  const [first, ...others] = lists.map((list) => list(sources));
  if (first === undefined) return [];
  return (others.length === 0 ? first : [...new Set([first, ...others].flat())]) as string[];
}
