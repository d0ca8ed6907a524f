import assert from 'node:assert/strict';
import test from 'node:test';
import { addressPlan } from './addresses.ts';
import { samplePlan } from './testing/sample-plan.ts';

const [markdown, csv] = addressPlan.files(samplePlan).map(({ text }) => text);

test('a pool that is too small says by how much', () => {
  assert.match(markdown ?? '', /Capacity 1, needed 2, \*\*1 too few\*\*/);
  assert.match(markdown ?? '', /\| `ingress` \| 1 \| none left \|/);
});

test('locked and proposed addresses are told apart', () => {
  assert.match(markdown ?? '', /`cluster\/shop` \| 1 \| `10\.2\.0\.200` \| locked/);
  assert.match(csv ?? '', /address,Datacenter\/dc1,dc1-apps,cluster\/web,10\.2\.0\.201,proposed/);
});

test('what is locked for somebody who is gone stays visible', () => {
  const pools = samplePlan.addresses.pools.map((pool) => ({ ...pool, needs: [] }));
  const plan = { ...samplePlan, addresses: { ...samplePlan.addresses, pools } };
  assert.match(addressPlan.files(plan)[0]?.text ?? '', /`cluster\/shop` \| 0 \|.*nobody needs it any more/);
});

test('node ports are listed per cluster', () => {
  assert.match(csv ?? '', /node port,Seed\/east,30000-32767,cluster\/batch,30000 30001,proposed/);
});
