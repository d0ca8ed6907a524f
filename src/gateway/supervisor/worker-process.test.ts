import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkerProcess } from './worker-process.ts';

test('a question that is not answered in time is told as such and forgotten', async (t) => {
  const notices: object[] = [];
  const worker = new WorkerProcess(0, { notice: (_, notice) => notices.push(notice), exit: () => {} });
  t.after(() => worker.kill());
  process.kill(worker.pid, 'SIGSTOP');
  await assert.rejects(worker.ask({ ask: 'counters' }, 20), /did not answer within 0.02 s/);
  assert.equal(worker.unanswered, 0);
  process.kill(worker.pid, 'SIGCONT');
  await worker.ask({ ask: 'counters' }, 60_000);
  assert.equal(worker.unanswered, 0);
  assert.deepEqual(notices.slice(0, 1), [{ counters: { 'half-open': 0 } }], 'figures are not lost');
});

test('what waits for an answer is told when the worker ends', async () => {
  const worker = new WorkerProcess(0, { notice: () => {}, exit: () => {} });
  const asked = assert.rejects(worker.ask({ ask: 'counters' }, 60_000), /ended \(SIGKILL\)/);
  worker.kill();
  await asked;
  await assert.rejects(worker.ask({ ask: 'counters' }, 60_000), /has ended/);
});
