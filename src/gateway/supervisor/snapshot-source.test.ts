import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Snapshot } from '../snapshot/index.ts';
import { SnapshotSource } from './snapshot-source.ts';
import type { Supervisor } from './supervisor.ts';
import { scratch } from './testing/scratch.ts';
import { clusterTo, snapshotOf } from './testing/snapshots.ts';

const log = (lines: string[]) => {
  const add = (message: string): unknown => lines.push(message);
  return { info: add, warn: add, error: add };
};

/** A supervisor that takes everything, and remembers the versions. */
function watched(t: Parameters<typeof scratch>[0]) {
  const dir = scratch(t);
  const file = path.join(dir, 'snapshot.json');
  writeFileSync(file, text('1'));
  const versions: string[] = [];
  const lines: string[] = [];
  const supervisor = {
    snapshot: JSON.parse(text('1')) as Snapshot,
    certificateFiles: () => undefined,
    apply: async (snapshot: Snapshot) => {
      supervisor.snapshot = snapshot;
      versions.push(snapshot.version);
    },
  };
  const source = new SnapshotSource(supervisor as unknown as Supervisor, file, log(lines));
  source.watch();
  t.after(() => source.close());
  return { dir, file, versions, lines, source };
}

const text = (version: string): string => JSON.stringify(snapshotOf(version, { a: clusterTo('a', '127.0.0.1:1') }));

async function until(holds: () => boolean): Promise<void> {
  const late = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > late) assert.fail('it did not come to that');
    await setTimeout(5);
  }
}

test('takes a file that is replaced, and one that is written in place', async (t) => {
  const { dir, file, versions } = watched(t);
  const next = path.join(dir, 'next');
  writeFileSync(next, text('2'));
  renameSync(next, file);
  await until(() => versions.at(-1) === '2');
  writeFileSync(file, text('3'));
  await until(() => versions.at(-1) === '3');
  assert.deepEqual(versions, ['2', '3']);
});

test('takes a change that was made after the first reading and before anybody watched', async (t) => {
  const { file, versions, source } = watched(t);
  source.close();
  assert.equal((await source.load()).version, '1');
  writeFileSync(file, text('2'));
  await setTimeout(50);
  source.watch();
  await until(() => versions.at(-1) === '2');
});

test('a file that is written in pieces is taken when it is complete, without a word about the pieces', async (t) => {
  const { file, versions, lines, source } = watched(t);
  const whole = text('2');
  writeFileSync(file, whole.slice(0, 50));
  await setTimeout(60);
  appendFileSync(file, whole.slice(50));
  await until(() => versions.length === 1);
  assert.equal(source.rejection, undefined);
  assert.equal(lines.filter((line) => line.includes('refused')).length, 0);
});

test('what is bad is told and otherwise ignored, until something good comes', async (t) => {
  const { file, versions, lines, source } = watched(t);
  writeFileSync(file, '{"version": 7}');
  await until(() => source.rejection !== undefined);
  assert.match(source.rejection?.problem ?? '', /refused/);
  assert.match(lines.join('\n'), /stays in force/);
  writeFileSync(file, 'no JSON at all');
  await until(() => /JSON/.test(source.rejection?.problem ?? ''));
  writeFileSync(file, text('2'));
  await until(() => source.rejection === undefined);
  assert.deepEqual(versions, ['2']);
});

test('a file that is gone for good is told as such once, and that it is back', async (t) => {
  const { file, versions, lines, source } = watched(t);
  writeFileSync(file, text('2'));
  await until(() => versions.at(-1) === '2');
  renameSync(file, `${file}.away`);
  await until(() => /cannot be read/.test(source.rejection?.problem ?? ''));
  await setTimeout(1500);
  assert.equal(lines.filter((line) => line.includes('cannot be read')).length, 1);
  renameSync(`${file}.away`, file);
  await until(() => source.rejection === undefined);
  assert.match(lines.at(-1) ?? '', /in order again/);
});

test('a file that is away for a moment is not worth a word', async (t) => {
  const { file, versions, lines } = watched(t);
  writeFileSync(file, text('2'));
  await until(() => versions.at(-1) === '2');
  const said = lines.length;
  rmSync(file);
  await setTimeout(1500);
  writeFileSync(file, text('3'));
  await until(() => versions.at(-1) === '3');
  assert.deepEqual(lines.slice(said), ['snapshot in force']);
});

test('what was refused and is mended back to the one in force is in order again, and that is told', async (t) => {
  const { file, versions, lines, source } = watched(t);
  writeFileSync(file, text('2'));
  await until(() => versions.at(-1) === '2');
  writeFileSync(file, '{"version": 7}');
  await until(() => source.rejection !== undefined);
  writeFileSync(file, text('2'));
  await until(() => source.rejection === undefined);
  assert.match(lines.at(-1) ?? '', /in order again/);
  assert.deepEqual(versions, ['2']);
});

test('follows a symbolic link to another directory, as Kubernetes mounts configuration', async (t) => {
  const { dir, file, versions } = watched(t);
  for (const version of ['2', '3']) {
    mkdirSync(path.join(dir, version));
    writeFileSync(path.join(dir, version, 'snapshot.json'), text(version));
  }
  const point = (name: string): void => {
    symlinkSync(name, path.join(dir, '..new'));
    renameSync(path.join(dir, '..new'), path.join(dir, '..data'));
  };
  point('2');
  rmSync(file);
  symlinkSync('..data/snapshot.json', file);
  await until(() => versions.at(-1) === '2');
  point('3');
  await until(() => versions.at(-1) === '3');
});
