import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../core/errors.ts';
import { type Log, silentLog } from '../sys/log.ts';
import { addressArguments } from './address-arguments.ts';
import { ensureAddress, isPresent, keepAddress, type RunProgram } from './listen-address.ts';

const recorded = (): { run: RunProgram; ran: string[] } => {
  const ran: string[] = [];
  return { ran, run: async (program, args) => void ran.push([program, ...args].join(' ')) };
};
const failing =
  (stderr: string): RunProgram =>
  () =>
    Promise.reject(Object.assign(new Error('exit 2'), { stderr }));

test('leaves addresses alone that are there', async () => {
  const { run, ran } = recorded();
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::'])
    await ensureAddress(address, { log: silentLog, run });
  assert.deepEqual(ran, []);
});

test('adds what is missing to the loopback interface, where nothing takes it for its own source', async () => {
  const { run, ran } = recorded();
  for (const address of ['100.64.30.10', 'fd00:64::10']) await ensureAddress(address, { log: silentLog, run });
  assert.deepEqual(ran, [
    'ip address add 100.64.30.10/32 dev lo scope host',
    'ip address add fd00:64::10/128 dev lo preferred_lft 0',
  ]);
  assert.equal(isPresent('100.64.30.10'), false);
});

test('says exactly what to run when it may not', async () => {
  const run = failing('RTNETLINK answers: Operation not permitted\n');
  await assert.rejects(ensureAddress('100.64.30.10', { log: silentLog, run }), (error: unknown) => {
    assert.ok(error instanceof CausewayError);
    assert.match(error.message, /Operation not permitted/);
    assert.ok(error.fix.includes(`"sudo ip ${addressArguments('100.64.30.10').join(' ')}"`));
    return true;
  });
});

test('is content when somebody else was faster', async () => {
  await ensureAddress('100.64.30.10', { log: silentLog, run: failing('RTNETLINK answers: File exists\n') });
});

test('puts the address back when it is taken away, and says once that it cannot', async (t) => {
  const { run, ran } = recorded();
  let there = false;
  const back = keepAddress('192.0.2.7', { log: silentLog, run, present: () => there, everyMs: 5 });
  t.after(back);
  while (ran.length === 0) await sleep(5);
  there = true;

  const said: string[] = [];
  const log: Log = { ...silentLog, error: (message) => void said.push(message) };
  const never = keepAddress('192.0.2.7', { log, run: failing('no'), present: () => false, everyMs: 5 });
  t.after(never);
  await sleep(60);
  assert.equal(said.length, 1);
});
