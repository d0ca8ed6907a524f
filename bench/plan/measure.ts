// Measures one size in a process of its own: how long it takes, or how much memory it needs. Prints one line of JSON.
import { deepStrictEqual } from 'node:assert/strict';
import type { Allocations } from '../../src/model/index.ts';
import { load } from '../../src/model/load/index.ts';
import type { Cluster, Model } from '../../src/model/schema/index.ts';
import { lockOf } from '../../src/plan/addresses/index.ts';
import {
  buildContext,
  kubernetesRuntime,
  newCache,
  type PlanCache,
  plan,
  planFromContext,
  reviewPlan,
} from '../../src/plan/index.ts';
import type { Plan } from '../../src/plan/schema/index.ts';

export interface Times {
  readonly readMs: number;
  readonly planMs: number;
  readonly replanMs: number;
}
export interface Memory {
  /** Most that the process ever had. */
  readonly maxRssMiB: number;
  /** What is reachable at the end. */
  readonly heapMiB: number;
}

const rounds = 5;
const [, , what, dir = ''] = process.argv;
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const timed = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

const measured = what === 'memory' ? await measureMemory() : await measureTimes();
process.stdout.write(`${JSON.stringify(measured)}\n`);

async function measureTimes(): Promise<Times> {
  const start = performance.now();
  const { model, allocations, cache } = await readAndPlan();
  const readMs = performance.now() - start;
  // As in real life: what was allocated once is in the lock.
  const lock = lockOf(plan(model, allocations, kubernetesRuntime, cache).addresses);
  const planMs = median(Array.from({ length: rounds }, () => measureFull(model, lock)));
  const replanMs = median(Array.from({ length: rounds * 2 }, (_, i) => measureReplan(model, lock, cache, i)));
  return { readMs, planMs, replanMs };
}

/** What a platform does that plans again after each change. Copies to measure times with would hide what it needs. */
async function measureMemory(): Promise<Memory> {
  const { model, allocations, cache } = await readAndPlan();
  const lock = lockOf(plan(model, allocations, kubernetesRuntime, cache).addresses);
  let newest: Plan | undefined;
  for (let round = 0; round < rounds * 2; round++) {
    const context = buildContext(withChange(model, round), lock, kubernetesRuntime, cache);
    newest = planFromContext(context);
    reviewPlan(context, newest);
  }
  const maxRssMiB = process.resourceUsage().maxRSS / 1024;
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc');
  globalThis.gc();
  const heapMiB = process.memoryUsage().heapUsed / 1024 / 1024;
  // What is asked for afterwards cannot be collected before.
  if (Object.keys(newest?.endpoints ?? {}).length !== model.clusters.length) throw new Error('clusters are missing');
  return { maxRssMiB, heapMiB };
}

async function readAndPlan(): Promise<{ model: Model; allocations: Allocations; cache: PlanCache }> {
  const { model, allocations, findings } = await load(dir);
  if (model === undefined) throw new Error(JSON.stringify(findings.slice(0, 3)));
  const cache = newCache();
  const context = buildContext(model, allocations, kubernetesRuntime, cache);
  reviewPlan(context, planFromContext(context));
  return { model, allocations, cache };
}

/** The same documents as new objects: nothing that was kept applies to them. */
function measureFull(model: Model, lock: Allocations): number {
  const copy = structuredClone(model);
  return timed(() => plan(copy, lock));
}

/** The result must be what a full plan gives. */
function measureReplan(model: Model, lock: Allocations, cache: PlanCache, round: number): number {
  plan(model, lock, kubernetesRuntime, cache);
  const changed = withChange(model, round);
  let replanned: unknown;
  const ms = timed(() => {
    replanned = plan(changed, lock, kubernetesRuntime, cache);
  });
  if (round === 0) deepStrictEqual(replanned, plan(changed, lock));
  return ms;
}

/** One cluster has other limits. */
function withChange(model: Model, round: number): Model {
  const count = model.clusters.length;
  const index = Math.floor((count / 11) * (round + 1)) % count;
  return { ...model, clusters: model.clusters.map((c, i) => (i === index ? withOtherLimits(c, round) : c)) };
}

function withOtherLimits(c: Cluster, round: number): Cluster {
  return { ...c, spec: { ...c.spec, limits: { ...c.spec.limits, maxConnections: 100 + round } } };
}
