import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../sys/log.ts';
import { Renewal } from './real-worker.ts';

test('credentials are asked for in time, and again when nobody answered', async () => {
  let [now, asked, answers] = [0, 0, false];
  const renewal = new Renewal(silentLog, () => now);
  const renew = async (): Promise<void> => {
    asked++;
    if (!answers) throw new Error('the control plane is away');
    renewal.before(now + 60_000, renew);
  };
  const askedAt = async (time: number): Promise<number> => {
    now = time;
    await renewal.look();
    return asked;
  };
  renewal.before(60_000, renew);
  assert.equal(await askedAt(39_000), 0, 'too early');
  assert.equal(await askedAt(40_000), 1);
  assert.equal(await askedAt(49_000), 1, 'without a pause');
  answers = true;
  assert.equal(await askedAt(50_000), 2);
  assert.equal(await askedAt(89_000), 2);
  assert.equal(await askedAt(90_000), 3);
  renewal.stop();
  assert.equal(await askedAt(900_000), 3, 'after it was stopped');
});
