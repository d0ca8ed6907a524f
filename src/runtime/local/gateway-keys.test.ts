import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gatewayKeys } from './gateway-keys.ts';
import { scratchDirectory } from './testing/place.ts';

const day = 24 * 3_600_000;
const names = ['tunnel.example.com'];

test('a certificate is made once, and again when a third of its time is left, its names differ or its key is gone', async (t) => {
  const directory = scratchDirectory(t);
  let now = Date.now();
  const keys = await gatewayKeys(directory, { now: () => now, lifetimeMs: 30 * day });
  assert.equal(await keys.renew(names), true);
  now += 19 * day;
  assert.equal(await keys.renew(names), false);
  now += day + 1000;
  assert.ok(now >= keys.dueAt);
  assert.equal(await keys.renew(names), true);
  assert.ok(keys.dueAt > now + 19 * day);
  assert.equal(await keys.renew(['other.example.com']), true);
  rmSync(path.join(directory, 'gateway.key'));
  assert.equal(await keys.renew(['other.example.com']), true);
  const certificate = new X509Certificate(readFileSync(path.join(directory, 'gateway.crt')));
  assert.equal(certificate.subjectAltName, 'DNS:other.example.com');
});

test('of an authority that ends within a year it is said', async (t) => {
  const directory = scratchDirectory(t);
  const at = async (now: number) => (await gatewayKeys(directory, { now: () => now })).warning;
  assert.equal(await at(Date.now()), undefined);
  assert.match((await at(Date.now() + 3300 * day)) ?? '', /gateway-ca\.crt ends on 20\d\d-\d\d-\d\d; plan a day/);
});
