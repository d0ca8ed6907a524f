import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { rememberPorts } from './ports.ts';
import { homeIn, scratchDirectory } from './testing/place.ts';

describe('inner ports', () => {
  it('are the same after a restart', async (t) => {
    const home = homeIn(scratchDirectory(t));
    assert.deepEqual(await rememberPorts(home), await rememberPorts(home));
  });

  it('are nobody else’s, whoever asks at the same time', async (t) => {
    const directory = scratchDirectory(t);
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => rememberPorts(homeIn(directory, name))));
    const ports = all.flatMap((one) => Object.values(one));
    assert.deepEqual([ports.length, new Set(ports).size], [36, 36]);
    // Upstream's konnectivity server takes none above 49151, and node ports begin at 30000.
    assert.ok(ports.every((port) => port >= 20_000 && port < 30_000));
  });

  it('that a newer version needs are added to those that are known', async (t) => {
    const home = homeIn(scratchDirectory(t));
    const { scheduler, ...known } = await rememberPorts(home);
    writeFileSync(path.join(home.root, 'ports.json'), JSON.stringify(known));
    const again = await rememberPorts(home);
    assert.deepEqual({ ...again, scheduler: 0 }, { ...known, scheduler: 0 });
    assert.notEqual(again.scheduler, scheduler);
  });

  it('that other clusters have are never taken, and come back when these are gone', async (t) => {
    const directory = scratchDirectory(t);
    const { root } = homeIn(directory, 'greedy');
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const all = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, 20_000 + index]));
    writeFileSync(path.join(root, 'ports.json'), JSON.stringify(all), { mode: 0o600 });
    await assert.rejects(rememberPorts(homeIn(directory)), { code: 'CW-PORTS', fix: /clusters/ });
    rmSync(root, { recursive: true });
    assert.ok((await rememberPorts(homeIn(directory))).etcdClient >= 20_000);
  });

  it('are chosen anew where the file was damaged', async (t) => {
    const home = homeIn(scratchDirectory(t));
    await rememberPorts(home);
    writeFileSync(path.join(home.root, 'ports.json'), '{"etcdClient": 2');
    assert.ok((await rememberPorts(home)).etcdClient >= 20_000);
  });
});
