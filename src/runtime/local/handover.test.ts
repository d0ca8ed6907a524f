import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import { type AdminAnswer, serveAdmin } from '../../net/index.ts';
import { type Log, silentLog } from '../../sys/log.ts';
import { takeOver } from './handover.ts';
import { markOf } from './orphans.ts';
import { scratchDirectory } from './testing/place.ts';

const id = { scope: 'gateway/west', name: 'gateway' } as const;

/** A process with this mark, and an admin socket where `answered` says that it serves. */
async function setting(
  t: TestContext,
  mark: Record<string, string>,
  directory: string,
  upgrade: () => AdminAnswer,
  status?: () => Promise<AdminAnswer>,
) {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH, ...mark } });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const socket = path.join(directory, 'admin.sock');
  const served = await serveAdmin(
    { path: socket },
    { 'GET /status': status ?? (() => ({ json: { pid: child.pid } })), 'POST /upgrade': () => upgrade() },
    { log: silentLog },
  );
  t.after(() => served.close());
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (...said: unknown[]) => warnings.push(JSON.stringify(said)), error: () => {} };
  const successorFile = path.join(directory, 'n.json');
  const snapshotFile = path.join(directory, 's.json');
  let prepared = 0;
  const attempt = (specHash: string, at = socket) =>
    takeOver({
      ...{ directory, specHash, key: 'gateway/west/gateway' },
      handover: { socket: at, snapshotFile, successorFile },
      timeoutMs: 300,
      log: log as unknown as Log,
      prepare: () => void prepared++,
    });
  return { child, pid: child.pid, socket, successorFile, attempt, warnings, prepared: () => prepared };
}

test('the process that serves is adopted as it is where its description is the newest', async (t) => {
  const directory = scratchDirectory(t);
  const { pid, attempt, prepared } = await setting(t, markOf(directory, id, 'hash'), directory, () => assert.fail());
  assert.equal((await attempt('hash'))?.pid, pid);
  assert.equal(prepared(), 1, 'who upgrades it later must find how');
});

test('one that cannot hand over goes on, and that is said', async (t) => {
  const directory = scratchDirectory(t);
  const refusal = { code: 'CW-GATEWAY-UPGRADE', message: 'no room', fix: 'wait' };
  const upgrade = (): AdminAnswer => ({ status: 409, json: refusal });
  const { pid, attempt, warnings } = await setting(t, markOf(directory, id, 'old'), directory, upgrade);
  assert.equal((await attempt('new'))?.pid, pid);
  assert.match(warnings.join(), /could not hand over.*no room/);
});

test('a process of somebody else at the socket is not adopted, nor is one of another platform', async (t) => {
  const directory = scratchDirectory(t);
  const none = await setting(t, {}, directory, () => assert.fail());
  assert.equal(await none.attempt('hash'), undefined);
  const other = scratchDirectory(t);
  const another = await setting(t, markOf(directory, id, 'hash'), other, () => assert.fail());
  assert.equal(await another.attempt('hash'), undefined);
});

test('one that serves at the socket of its former description hands over to the newest', async (t) => {
  const directory = scratchDirectory(t);
  const successor = await setting(t, markOf(directory, id, 'new'), scratchDirectory(t), () => assert.fail());
  const upgrade = (): AdminAnswer => ({ json: { pid: successor.pid } });
  const former = await setting(t, markOf(directory, id, 'old'), directory, upgrade);
  writeFileSync(former.successorFile, JSON.stringify({ args: ['gateway', '--admin', `unix:${former.socket}`] }));
  const child = await former.attempt('new', path.join(directory, 'elsewhere.sock'));
  assert.equal(child?.pid, successor.pid);
});

test('one that says nothing at its socket hangs and is ended, one that answers with a failure is not', async (t) => {
  for (const [answer, ends] of [
    [() => new Promise<never>(() => {}), true],
    [() => Promise.reject(new Error('out of order')), false],
  ] as const) {
    const directory = scratchDirectory(t);
    const mark = markOf(directory, id, 'hash');
    const { child, attempt } = await setting(t, mark, directory, () => assert.fail(), answer);
    assert.equal(await attempt('hash'), undefined);
    if (ends) await until(() => child.signalCode === 'SIGKILL');
    assert.equal(child.signalCode, ends ? 'SIGKILL' : null);
  }
});
