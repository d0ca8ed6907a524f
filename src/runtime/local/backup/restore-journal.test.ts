import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openState } from '../local-state.ts';
import { scratchDirectory } from '../testing/place.ts';
import {
  exchangeAll,
  finishRestore,
  finishRestores,
  type JournalFiles,
  type RestoreJournal,
} from './restore-journal.ts';

const journal: RestoreJournal = {
  backup: 'yesterday',
  exchanges: ['pki', 'etcd'].map((place) => ({ place, ready: `${place}.restoring`, aside: `${place}.before-now` })),
};

/** A cluster with keys and data, and others that are ready to take their place. */
function stage(root: string): void {
  for (const [directory, text] of [
    ...[['pki', 'old'] as const, ['etcd', 'old'] as const],
    ...[['pki.restoring', 'new'] as const, ['etcd.restoring', 'new'] as const],
  ]) {
    mkdirSync(path.join(root, directory), { recursive: true });
    writeFileSync(path.join(root, directory, 'content'), text);
  }
}

const contents = (root: string): string[] =>
  ['pki', 'etcd'].map((place) => {
    const file = path.join(root, place, 'content');
    return existsSync(file) ? readFileSync(file, 'utf8') : 'none';
  });

class Killed extends Error {}

/** Ends, as a kill does, before an operation of this number. */
function killedBefore(operation: number): JournalFiles {
  let done = 0;
  const orKill = (work: () => void): void => {
    if (done++ === operation) throw new Killed();
    work();
  };
  return {
    write: (file, text) => orKill(() => writeFileSync(file, text)),
    rename: (from, to) => orKill(() => renameSync(from, to)),
    remove: (file) => orKill(() => rmSync(file)),
  };
}

const operations = 6;

test('a restore that is killed at any operation is finished, or was never begun: keys and data are of one backup', (t) => {
  for (let first = 0; first <= operations; first++) {
    // Finishing it may be killed too.
    for (let second = 0; second <= operations; second++) {
      const root = scratchDirectory(t);
      stage(root);
      const killed = (work: () => void): boolean => {
        try {
          work();
          return false;
        } catch (error) {
          assert.ok(error instanceof Killed, String(error));
          return true;
        }
      };
      assert.equal(
        killed(() => exchangeAll(root, journal, killedBefore(first))),
        first < operations,
      );
      killed(() => finishRestore(root, killedBefore(second)));
      finishRestore(root);
      const expected = first === 0 ? 'old' : 'new';
      assert.deepEqual(contents(root), [expected, expected], `killed before ${first}, then before ${second}`);
      if (first > 0) assert.equal(readFileSync(path.join(root, 'etcd.before-now/content'), 'utf8'), 'old');
      assert.equal(finishRestore(root), undefined, 'nothing is left to be done');
    }
  }
});

test('a platform finishes what was interrupted before anything reads keys or data, and says so', async (t) => {
  const directory = scratchDirectory(t);
  const root = path.join(directory, '.causeway/clusters/web');
  stage(root);
  assert.throws(() => exchangeAll(root, journal, killedBefore(2)), Killed);
  assert.deepEqual(contents(root), ['none', 'old']);
  const state = await openState(directory, { variables: [] });
  t.after(() => state.close());
  assert.deepEqual(contents(root), ['new', 'new']);
  assert.deepEqual(
    state.events.read({ limit: 5 }).map(({ subject, message }) => `${subject}: ${message}`),
    ['Cluster/web: the restore of yesterday was interrupted, and is finished now'],
  );
  assert.deepEqual(readdirSync(root).sort(), ['etcd', 'etcd.before-now', 'pki', 'pki.before-now']);
  state.events.close();
});

test('a journal that cannot be read is not guessed at', (t) => {
  const clusters = scratchDirectory(t);
  mkdirSync(path.join(clusters, 'web'));
  writeFileSync(path.join(clusters, 'web/restore.json'), '{"backup":');
  assert.throws(() => finishRestores(clusters), { code: 'CW-RESTORE-JOURNAL', fix: /\.restoring is what was to come/ });
});

test('an exchange that the disk refuses once is finished: a cluster does not go on with half of it', (t) => {
  for (let operation = 1; operation < operations; operation++) {
    const root = scratchDirectory(t);
    stage(root);
    let done = 0;
    const orRefuse = (work: () => void): void => {
      if (done++ === operation) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'rename' });
      work();
    };
    exchangeAll(root, journal, {
      write: (file, text) => orRefuse(() => writeFileSync(file, text)),
      rename: (from, to) => orRefuse(() => renameSync(from, to)),
      remove: (file) => orRefuse(() => rmSync(file)),
    });
    assert.deepEqual(contents(root), ['new', 'new'], `refused at ${operation}`);
    assert.equal(finishRestore(root), undefined);
  }
});
