// The manifests as they are now: read, planned, reviewed; what was never given out before is given out and kept.
import { exitCodes } from '../core/errors.ts';
import type { Finding } from '../model/index.ts';
import { type Loaded, LoadMemory, withPositions } from '../model/load/index.ts';
import { exitCodeOf } from '../model/report/index.ts';
import { lockOf } from '../plan/addresses/index.ts';
import { newCache, type PlanCache, type Planned, type Reviewed, type Runtime, review } from '../plan/index.ts';
import type { Addresses } from '../plan/schema/index.ts';
import type { ManifestSource } from './manifest-source.ts';

export interface Reading extends Reviewed {
  /** They have errors: what runs stays as it is. */
  readonly broken: boolean;
}

/** What is wrong with a plan for reasons that are not in the manifests. */
export type Check = (planned: Planned) => Promise<readonly Finding[]>;

export interface ReaderOptions {
  /** What runs the control planes. */
  readonly runtime: Runtime;
  readonly check?: Check;
  readonly memory?: LoadMemory;
  readonly cache?: PlanCache;
}

/** What has not changed is not read and parsed again, and what follows from it is not computed again. */
export function manifestReader(source: ManifestSource, options: ReaderOptions): () => Promise<Reading> {
  const { runtime, check = async () => [], memory = new LoadMemory(), cache = newCache() } = options;
  const read = async (): Promise<Reading> => reading(await source.load(memory), { runtime, check, cache });
  return async () => {
    const first = await read();
    if (first.broken || first.planned === undefined || isLocked(first.planned.plan.addresses)) return first;
    await source.keep(lockOf(first.planned.plan.addresses));
    return read();
  };
}

async function reading(
  loaded: Loaded,
  { runtime, check, cache }: Required<Omit<ReaderOptions, 'memory'>>,
): Promise<Reading> {
  const today = new Date().toISOString().slice(0, 10);
  const { planned, findings: ofManifests } = review(loaded, today, runtime, cache);
  const more = planned === undefined ? [] : withPositions(await check(planned), loaded.locate);
  const findings = [...ofManifests, ...more];
  return { planned, findings, broken: planned === undefined || exitCodeOf(findings) === exitCodes.findings };
}

const isLocked = ({ pools, nodePorts }: Addresses): boolean =>
  [...pools, ...nodePorts].every(({ allocations }) =>
    (allocations as readonly { readonly locked: boolean }[]).every(({ locked }) => locked),
  );
