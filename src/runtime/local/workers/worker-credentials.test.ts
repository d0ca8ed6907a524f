import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sampleInput } from './testing/input.ts';
import { upstreamsOf } from './upstreams.ts';
import { WorkerCredentials } from './worker-credentials.ts';
import type { WorkerInput } from './worker-input.ts';
import { workerLayout } from './worker-layout.ts';

const hour = 3_600_000;

async function scene(t: { after(undo: () => void): void }) {
  const home = mkdtempSync(path.join(tmpdir(), 'cw-worker-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const layout = await workerLayout(path.join(home, 'shop'), ['127.40.0.0/24']);
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
  const apply = (input: WorkerInput) => credentials.apply(input, layout, upstreamsOf(input, undefined));
  const read = (file: string): string => readFileSync(file, 'utf8');
  return { layout, clock, credentials, giving, apply, read, asked: () => given };
}

test('credentials are files that only their owner reads', async (t) => {
  const { layout, giving, apply, read } = await scene(t);
  await apply(giving());
  const { files } = layout;
  assert.equal(read(files.konnectivityToken), 'konnectivity-1');
  assert.equal(read(files.token), 'node-1');
  for (const file of [files.ca, files.token, files.konnectivityToken, files.tunnelToken, files.kubeconfig])
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
  assert.equal(statSync(layout.home).mode & 0o777, 0o700);
});

test('credentials are asked for again before they end, and not sooner', async (t) => {
  const { clock, credentials, giving, apply, read, layout, asked } = await scene(t);
  await apply(giving());
  clock.now += hour / 2;
  assert.equal(credentials.isDue(), false);
  await apply(giving());
  assert.equal(asked(), 1);
  clock.now += hour / 4;
  assert.equal(credentials.isDue(), true);
  await apply(giving());
  assert.equal(read(layout.files.konnectivityToken), 'konnectivity-2');
});

test('a control plane that gives nothing now is asked again a little later', async (t) => {
  const { clock, credentials, giving, apply } = await scene(t);
  await apply(giving());
  clock.now += hour;
  const refusing = giving({ credentials: () => Promise.reject(new Error('not now')) });
  await assert.rejects(apply(refusing), /not now/);
  assert.equal(credentials.isDue(), false);
  clock.now += 10_000;
  assert.equal(credentials.isDue(), true);
});

test('the kubeconfig of nodes names files, so that it never holds what ends', async (t) => {
  const { layout, giving, apply, read } = await scene(t);
  await apply(giving());
  const text = read(layout.files.kubeconfig);
  assert.match(text, new RegExp(`tokenFile: ${layout.files.token}`));
  assert.doesNotMatch(text, /node-1/);
});

test('a token for the tunnel is there when there is a tunnel, and only then', async (t) => {
  const { layout, clock, giving, apply } = await scene(t);
  const { tunnel: _, ...endpoint } = sampleInput().endpoint;
  await apply(giving());
  assert.ok(existsSync(layout.files.tunnelToken));
  clock.now += hour;
  await apply(giving({ endpoint }));
  assert.ok(!existsSync(layout.files.tunnelToken));
  await apply(giving());
  assert.ok(existsSync(layout.files.tunnelToken));
});
