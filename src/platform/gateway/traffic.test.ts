import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trafficOf } from './traffic.ts';

test('figures of the gateway are summed per cluster and service', () => {
  const series = new Map([
    ['connections shop apiServer', 3],
    ['open shop apiServer', 1],
    ['sent shop apiServer', 100],
    ['received shop apiServer', 900],
    ['connections shop konnectivity', 2],
    ['refusals shop konnectivity  source-range', 4],
    ['refusals   sni unknown-name', 7],
    ['half-open', 5],
  ]);
  const { apiServer, konnectivity, all } = trafficOf(series).get('shop') ?? assert.fail();
  assert.deepEqual(apiServer, { open: 1, accepted: 3, refused: 0, bytesIn: 100, bytesOut: 900 });
  assert.deepEqual(konnectivity, { open: 0, accepted: 2, refused: 4, bytesIn: 0, bytesOut: 0 });
  assert.deepEqual(all, { open: 1, accepted: 5, refused: 4, bytesIn: 100, bytesOut: 900 });
  assert.equal(trafficOf(series).size, 1);
});
