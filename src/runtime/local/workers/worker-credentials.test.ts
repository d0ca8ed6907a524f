import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sampleInput } from './testing/input.ts';
import { plannedPaths } from './upstreams.ts';
import { WorkerCredentials } from './worker-credentials.ts';
import type { WorkerInput } from './worker-input.ts';
import { workerPlace } from './worker-layout.ts';

const hour = 3_600_000;

async function scene(t: { after(undo: () => void): void }) {
  const home = mkdtempSync(path.join(tmpdir(), 'cw-worker-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const place = await workerPlace(path.join(home, 'shop'), ['127.40.0.0/24']);
  const clock = { now: 1_000_000 };
  const credentials = new WorkerCredentials(() => clock.now);
  let given = 0;
  const giving = (changes: Partial<WorkerInput> = {}): WorkerInput =>
    sampleInput({
      credentials: async () => ({
        ca: 'authority',
        user: { token: `node-${++given}` },
        konnectivityToken: `konnectivity-${given}`,
        expiresAt: clock.now + hour,
      }),
      ...changes,
    });
  const bring = (input: WorkerInput) => credentials.bring(input, place, plannedPaths(input, undefined));
  const read = (file: string): string => readFileSync(file, 'utf8');
  return { place, clock, credentials, giving, bring, read, asked: () => given };
}

test('credentials are files that only their owner reads', async (t) => {
  const { place, giving, bring, read } = await scene(t);
  await bring(giving());
  const { files } = place;
  assert.equal(read(files.konnectivityToken), 'konnectivity-1');
  assert.equal(read(files.token), 'node-1');
  for (const file of [files.ca, files.token, files.konnectivityToken, files.tunnelToken, files.kubeconfig])
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
  assert.equal(statSync(place.home).mode & 0o777, 0o700);
});

test('credentials are asked for again before they end, and not sooner', async (t) => {
  const { clock, credentials, giving, bring, read, place, asked } = await scene(t);
  await bring(giving());
  clock.now += hour / 2;
  assert.equal(credentials.isDue(), false);
  await bring(giving());
  assert.equal(asked(), 1);
  clock.now += hour / 4;
  assert.equal(credentials.isDue(), true);
  await bring(giving());
  assert.equal(read(place.files.konnectivityToken), 'konnectivity-2');
});

test('a control plane that gives nothing now is asked again a little later', async (t) => {
  const { clock, credentials, giving, bring } = await scene(t);
  await bring(giving());
  clock.now += hour;
  const refusing = giving({ credentials: () => Promise.reject(new Error('not now')) });
  await assert.rejects(bring(refusing), /not now/);
  assert.equal(credentials.isDue(), false);
  clock.now += 10_000;
  assert.equal(credentials.isDue(), true);
});

test('the kubeconfig of nodes names files, so that it never holds what ends', async (t) => {
  const { place, giving, bring, read } = await scene(t);
  await bring(giving());
  const text = read(place.files.kubeconfig);
  assert.match(text, new RegExp(`tokenFile: ${place.files.token}`));
  assert.doesNotMatch(text, /node-1/);
});

test('a token for the tunnel is there when there is a tunnel, and only then', async (t) => {
  const { place, clock, giving, bring } = await scene(t);
  const { tunnel: _, ...endpoint } = sampleInput().endpoint;
  await bring(giving());
  assert.ok(existsSync(place.files.tunnelToken));
  clock.now += hour;
  await bring(giving({ endpoint }));
  assert.ok(!existsSync(place.files.tunnelToken));
  await bring(giving());
  assert.ok(existsSync(place.files.tunnelToken));
});
