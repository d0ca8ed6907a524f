import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WatchOptions, watchManifests } from './watch-manifests.ts';

function watched(t: TestContext, options: WatchOptions = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'causeway-watch-'));
  mkdirSync(path.join(root, '.causeway'));
  writeFileSync(path.join(root, 'platform.yaml'), 'a: 1\n');
  let changes = 0;
  let heard: () => void = () => {};
  const watching = watchManifests(
    root,
    () => {
      changes++;
      heard();
    },
    { doubtMs: 60_000, ...options },
  );
  t.after(() => {
    watching.close();
    rmSync(root, { recursive: true });
  });
  /** Within a second, as promised. */
  const hears = async (act: () => void): Promise<void> => {
    const change = new Promise<void>((resolve) => {
      heard = resolve;
    });
    act();
    const late = sleep(1000).then(() => assert.fail('the change was not told within a second'));
    await Promise.race([change, late]);
  };
  return { at: (...names: string[]) => path.join(root, ...names), hears, count: () => changes };
}

const noWatches = (() => {
  throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' });
}) as unknown as WatchOptions['watch'];

describe('watching manifests', () => {
  for (const [how, options] of [
    ['told by the system', {}],
    ['by looking', { watch: noWatches, pollMs: 50 }],
  ] as const)
    it(`tells within a second of edits, new directories, renames and removals, ${how}`, async (t) => {
      const { at, hears } = watched(t, options);
      await hears(() => writeFileSync(at('platform.yaml'), 'a: 2\n'));
      await hears(() => {
        mkdirSync(at('clusters', 'deep'), { recursive: true });
        writeFileSync(at('clusters', 'deep', 'shop.yaml'), 'b: 1\n');
      });
      await hears(() => writeFileSync(at('clusters', 'deep', 'shop.yaml'), 'b: 2\n'));
      await hears(() => {
        writeFileSync(at('platform.yaml~'), 'a: 3\n');
        renameSync(at('platform.yaml~'), at('platform.yaml'));
      });
      await hears(() => rmSync(at('clusters'), { recursive: true }));
    });

  it('is not lost in links that lead back to where they are', async (t) => {
    const { at, hears } = watched(t);
    for (const name of ['here', 'again']) symlinkSync('.', at(name));
    symlinkSync('itself', at('itself'));
    await hears(() => writeFileSync(at('platform.yaml'), 'a: 2\n'));
  });

  it('is told once of what an editor does in several steps', async (t) => {
    const { at, hears, count } = watched(t);
    await hears(() => {
      renameSync(at('platform.yaml'), at('platform.yaml.bak'));
      writeFileSync(at('platform.yaml'), '');
      writeFileSync(at('platform.yaml'), 'a: 4\n');
    });
    await sleep(300);
    assert.equal(count(), 1);
  });

  it('says nothing of what render writes, until its index is removed', async (t) => {
    const { at, hears, count } = watched(t, { doubtMs: 50 });
    mkdirSync(at('out'));
    writeFileSync(at('out', '.causeway-render.json'), '{}');
    writeFileSync(at('out', 'policy.yaml'), 'a: 1\n');
    await sleep(400);
    assert.equal(count(), 0);
    await hears(() => rmSync(at('out', '.causeway-render.json')));
  });

  it('says nothing of state, of other files, or of a file that is touched by nobody', async (t) => {
    const { at, count } = watched(t, { doubtMs: 50 });
    writeFileSync(at('.causeway', 'data.yaml'), 'x');
    writeFileSync(at('notes.txt'), 'x');
    await sleep(400);
    assert.equal(count(), 0);
  });
});
