// Measures one size in a process of its own, so that its memory is its own. Prints one line of JSON.
import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Allocations } from '../../src/model/allocations.ts';
import { load } from '../../src/model/load/index.ts';
import type { Cluster, Model } from '../../src/model/schema/index.ts';
import { lockOf } from '../../src/plan/addresses/index.ts';
import { buildContext } from '../../src/plan/build-context.ts';
import { newCache, type PlanCache } from '../../src/plan/cache.ts';
import { plan, planFromContext } from '../../src/plan/index.ts';
import { reviewPlan } from '../../src/plan/rules/index.ts';
import { kubernetesRuntime } from '../../src/plan/runtime.ts';
import { bigPlatform } from './platform.ts';

export interface Measured {
  readonly clusters: number;
  readonly readMs: number;
  readonly planMs: number;
  readonly replanMs: number;
  readonly findings: number;
  readonly maxRssMiB: number;
}

const rounds = 5;
const clusters = Number(process.argv[2]);
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const timed = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};
/** The same documents as new objects: nothing that was remembered applies to them. */
const strangers = (model: Model): Model => structuredClone(model);

const dir = writeManifests();
try {
  const start = performance.now();
  const loaded = await load(dir);
  if (loaded.model === undefined) throw new Error(JSON.stringify(loaded.findings.slice(0, 3)));
  const cache = newCache();
  const context = buildContext(loaded.model, loaded.allocations, kubernetesRuntime, cache);
  const findings = reviewPlan(context, planFromContext(context)).length + loaded.findings.length;
  const readMs = performance.now() - start;
  const { model } = loaded;
  // As in real life: what was allocated once is in the lock.
  const lock = lockOf(plan(model, loaded.allocations, kubernetesRuntime, cache).addresses);
  const planMs = median(Array.from({ length: rounds }, () => measureFull(model, lock)));
  const replanMs = median(Array.from({ length: rounds * 2 }, (_, i) => measureReplan(model, lock, cache, i)));
  const maxRssMiB = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    `${JSON.stringify({ clusters, readMs, planMs, replanMs, findings, maxRssMiB } satisfies Measured)}\n`,
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function writeManifests(): string {
  const dir = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  for (const resource of bigPlatform(clusters))
    writeFileSync(join(dir, `${resource.kind}-${resource.metadata.name}.yaml`), stringify(resource));
  return dir;
}

function measureFull(model: Model, lock: Allocations): number {
  const fresh = strangers(model);
  return timed(() => plan(fresh, lock));
}

/** One cluster changes its limits; the result must be what a full plan gives. */
function measureReplan(model: Model, lock: Allocations, cache: PlanCache, round: number): number {
  plan(model, lock, kubernetesRuntime, cache);
  const index = Math.floor((clusters / 11) * (round + 1)) % clusters;
  const changed = { ...model, clusters: model.clusters.map((c, i) => (i === index ? withOtherLimits(c, round) : c)) };
  let replanned: unknown;
  const ms = timed(() => {
    replanned = plan(changed, lock, kubernetesRuntime, cache);
  });
  if (round === 0) deepStrictEqual(replanned, plan(changed, lock));
  return ms;
}

function withOtherLimits(c: Cluster, round: number): Cluster {
  return { ...c, spec: { ...c.spec, limits: { ...c.spec.limits, maxConnections: 100 + round } } };
}
