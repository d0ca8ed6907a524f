// reviewPlan: every planning rule of the catalogue, asked of one platform.

import { byName } from '../../core/names.ts';
import { type Finding, fieldOf } from '../../model/index.ts';
import { memo, memoInside, type PlanCache, slot } from '../cache.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { type ReachableRanges, reachableRangesOf } from './reachable-ranges.ts';
import { clusterRules, planRules, scopeRules, workerRules } from './registry.ts';
import { none, type ReviewedPlan, type Scope, type WorkerScope } from './rule.ts';
import { type ReviewedSettings, valuesOf } from './values.ts';

/** Findings by document and field, each once, however many clusters share the mistake. */
export function reviewPlan(ctx: PlanContext, plan: ReviewedPlan): Finding[] {
  const findings = planRules.flatMap((rule) => rule(ctx, plan));
  for (const scope of managementScopes(ctx)) addAll(findings, ofManagement(scope));
  const seen = new Set<readonly Finding[]>();
  const addShared = (shared: readonly Finding[]): void => {
    // Clusters with the same settings share one list.
    if (shared.length > 0 && !seen.has(shared)) addAll(findings, shared);
    seen.add(shared);
  };
  for (const [scope, reachable] of workerScopes(ctx)) addShared(ofWorkers(ctx.cache, scope, reachable));
  for (const c of ctx.clusters) addAll(findings, ofCluster(c));
  return sorted(unique(findings));
}

const addAll = (findings: Finding[], more: readonly Finding[]): void => {
  for (const one of more) findings.push(one);
};

const ofCluster = memoInside('findings', (c: ClusterContext): readonly Finding[] =>
  clusterRules.flatMap((rule) => rule(c)),
);

const ofManagement = (scope: Scope): readonly Finding[] => scopeRules.flatMap((rule) => rule(scope));

/** Settings belong to exactly one datacenter, so with the ranges it can reach they decide everything. */
const ofSettings = slot<
  ReviewedSettings,
  { readonly reachable: ReachableRanges; readonly findings: readonly Finding[] }
>();
/** Values with nothing to say about them; where they were set matters only to those that have. */
const soundIn = memo((_: ReachableRanges) => new Set<string>());

function ofWorkers(cache: PlanCache, scope: WorkerScope, reachable: ReachableRanges): readonly Finding[] {
  const last = ofSettings.get(cache, scope.effective);
  if (last?.reachable === reachable) return last.findings;
  const sound = soundIn(cache, reachable);
  const values = valuesOf(scope.effective);
  const findings = sound.has(values) ? none : askWorkerRules(scope, reachable);
  if (findings.length === 0) sound.add(values);
  ofSettings.set(cache, scope.effective, { reachable, findings });
  return findings;
}

const askWorkerRules = (scope: WorkerScope, reachable: ReachableRanges): readonly Finding[] => [
  ...scopeRules.flatMap((rule) => rule(scope)),
  ...workerRules.flatMap((rule) => rule(scope, reachable)),
];

function managementScopes(ctx: PlanContext): Scope[] {
  const { platform, seeds } = ctx.model;
  return [
    { platform, ...platformSettings(ctx) },
    ...seeds.map((seed) => ({ platform, seed, ...seedSettings(ctx, seed) })),
  ];
}

/** Every cluster; a datacenter without clusters stands for those that will come. */
function* workerScopes(ctx: PlanContext): Generator<readonly [WorkerScope, ReachableRanges]> {
  const { model } = ctx;
  for (const datacenter of model.datacenters) {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined) continue;
    const reachable = reachableRangesOf(ctx, seed, datacenter);
    const clusters = ctx.clustersOfDatacenter.get(datacenter.metadata.name) ?? [];
    for (const c of clusters) yield [c, reachable];
    if (clusters.length === 0)
      yield [{ platform: model.platform, seed, datacenter, ...datacenterSettings(ctx, seed, datacenter) }, reachable];
  }
}

const keyOf = ({ code, resource, path, message }: Finding): string =>
  `${code} ${resource} ${fieldOf(path ?? [])} ${message}`;

function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [keyOf(one), one])).values()];
}

/** The same order for the same documents, whatever order the files came in. */
const sorted = (findings: readonly Finding[]): Finding[] =>
  findings
    .map((one) => ({ one, key: `${one.resource} ${fieldOf(one.path ?? [])} ${one.code} ${one.message}` }))
    .sort((a, b) => byName(a.key, b.key))
    .map(({ one }) => one);
