// Every change of several files, interrupted at every operation on the disk: by a kill, a full disk, a disk with errors.
// The usual run takes a sample that changes from day to day; `./causeway test --soak` takes all.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isCausewayError } from '../../../src/core/errors.ts';
import { etcdTools } from '../../../src/runtime/local/testing/etcd-tools.ts';
import { scratchDirectory } from '../../../src/runtime/local/testing/place.ts';
// Before anything that it is to stand in front of.
import { type Fault, type FaultKind, onDisk } from './disk.ts';

import type { Place } from './scenarios.ts';

const { scenarios } = await import('./scenarios.ts');
type Scenario = (typeof scenarios)[string];

const soak = process.env.CAUSEWAY_SOAK === '1';
const kinds: readonly FaultKind[] = ['kill', 'ENOSPC', 'EIO'];
/** Of each kind, spread over all operations. */
const sample = soak ? Number.POSITIVE_INFINITY : 4;
const seed = Number(process.env.CAUSEWAY_SEED ?? Math.floor(Date.now() / 86_400_000));

for (const [name, scenario] of Object.entries(scenarios))
  test(`${name}, interrupted anywhere, leaves what belongs together, and can be done again`, async (t) => {
    const staged = await stage(t, scenario);
    const { operations, error } = await staged.meet(undefined);
    assert.equal(error, undefined);
    assert.ok(operations.length > 1, 'it changes nothing that is seen');
    let met = 0;
    for (const [row, kind] of kinds.entries())
      for (const at of sampled(operations.length, seed + row * 7)) {
        await staged.meet({ kind, at });
        met++;
      }
    t.diagnostic(
      `${operations.length} operations, ${met} of ${operations.length * kinds.length} faults (seed ${seed})`,
    );
  });

/** So that other days see others. */
function sampled(operations: number, first: number): number[] {
  const count = Math.min(operations, sample);
  const step = operations / count;
  return Array.from({ length: count }, (_, at) => Math.floor(at * step + (first % step)));
}

const child = fileURLToPath(new URL('child.ts', import.meta.url));
const disk = new URL('disk.ts', import.meta.url).href;

test('a process that is killed by its signal leaves the same as one that stops writing there', async (t) => {
  for (const [name, scenario] of Object.entries(scenarios)) {
    const { place, operations } = await staging(t, scenario);
    for (const at of sampled(operations, seed).slice(0, soak ? 20 : 1)) {
      const [killed, stopped] = [place(`killed-${at}`), place(`stopped-${at}`)];
      const run = spawnSync(process.execPath, [
        '--import',
        disk,
        child,
        name,
        killed.directory,
        killed.tools.dir,
        String(at),
      ]);
      assert.equal(run.signal, 'SIGKILL', `${name} at ${at}: ${run.stderr}`);
      await onDisk(stopped.directory, { kind: 'kill', at }, () => scenario.act(stopped));
      const files = ({ directory }: { directory: string }): string[] =>
        globSync('**', { cwd: directory })
          .map((file) => file.replace(/(\d+-)?[0-9a-f]{8}\.tmp$/, 'tmp').replace(/before-.*Z/, 'before'))
          .sort();
      assert.deepEqual(files(killed), files(stopped), `${name} at ${at}`);
      await explained(`${name}, killed at ${at}`, () => scenario.check(killed, false));
    }
  }
});

interface Staged {
  meet(fault: Fault | undefined): ReturnType<typeof onDisk>;
}

/** Each fault meets a copy of its own, with its modes, which Node's own copy leaves out. */
async function copies(t: TestContext, scenario: Scenario): Promise<(name: string) => Place> {
  const directory = scratchDirectory(t);
  const place = (name: string): Place => ({ directory: path.join(directory, name), tools: etcdTools(directory) });
  mkdirSync(place('staged').directory);
  await scenario.stage(place('staged'));
  return (name) => {
    execFileSync('cp', ['-a', place('staged').directory, place(name).directory]);
    return place(name);
  };
}

async function staging(
  t: TestContext,
  scenario: Scenario,
): Promise<{ place: (name: string) => Place; operations: number }> {
  const place = await copies(t, scenario);
  const first = place('first');
  return { place, operations: (await onDisk(first.directory, undefined, () => scenario.act(first))).operations.length };
}

async function stage(t: TestContext, scenario: Scenario): Promise<Staged> {
  const place = await copies(t, scenario);
  let count = 0;
  return {
    async meet(fault) {
      const copy = place(`copy-${count++}`);
      const outcome = await onDisk(copy.directory, fault, () => scenario.act(copy));
      const what =
        fault === undefined ? 'undisturbed' : `${fault.kind} at ${fault.at}: ${outcome.operations.at(fault.at)}`;
      await explained(what, async () => {
        if (fault?.kind === 'kill')
          assert.ok(outcome.killed || outcome.error === undefined, 'it went on after it was killed');
        if (outcome.error !== undefined) assertTold(outcome.error);
        await scenario.check(copy, !outcome.killed && outcome.error === undefined);
      });
      rmSync(copy.directory, { recursive: true });
      return outcome;
    },
  };
}

/** To a person, with what to do about it. */
function assertTold(error: unknown): void {
  assert.ok(isCausewayError(error), `not told in words: ${(error as Error).stack}`);
}

async function explained(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
