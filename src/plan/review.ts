// Documents → plan → findings: the one way from manifests to what is said about them.
import { applyWaivers, type Finding } from '../model/index.ts';
import { type Loaded, withPositions } from '../model/load/index.ts';
import type { Model } from '../model/schema/index.ts';
import { buildContext } from './build-context.ts';
import { newCache, type PlanCache } from './cache.ts';
import { planFromContext } from './plan.ts';
import { reviewPlan } from './rules/index.ts';
import { kubernetesRuntime, type Runtime } from './runtime.ts';
import type { Plan } from './schema/index.ts';

export interface Planned {
  readonly model: Model;
  readonly plan: Plan;
}

export interface Reviewed {
  /** Absent while the manifests cannot be read as a platform. */
  readonly planned: Planned | undefined;
  readonly findings: readonly Finding[];
}

/** The day (2026-11-16) decides which waivers still hold. */
export function review(
  loaded: Loaded,
  day: string,
  runtime: Runtime = kubernetesRuntime,
  cache: PlanCache = newCache(),
): Reviewed {
  if (loaded.model === undefined) return { planned: undefined, findings: loaded.findings };
  const context = buildContext(loaded.model, loaded.allocations, runtime, cache);
  const plan = planFromContext(context);
  const placed = withPositions(reviewPlan(context, plan), loaded.locate);
  const findings = applyWaivers([...loaded.findings, ...placed], loaded.model, day, loaded.locate);
  return { planned: { model: loaded.model, plan }, findings };
}
