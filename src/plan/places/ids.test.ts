import assert from 'node:assert/strict';
import test from 'node:test';
import { areWorkersIn, clusterPlace, isAt, isOfSeed, proxyPlace, seedPlace, tenantPlace } from './ids.ts';

test('a place is found by its whole name, its front, its kind, in singular and plural', () => {
  const gateway = 'seed/west/gateway';
  for (const wanted of [gateway, 'seed/west', 'seed', 'seeds', 'gateway', 'gateways'])
    assert.ok(isAt(gateway, wanted), wanted);
  for (const wanted of ['west', 'seed/wes', 'workers', 'gate']) assert.ok(!isAt(gateway, wanted), wanted);
});

test('two proxies on one host are two places, and an IPv6 host stays readable', () => {
  assert.equal(proxyPlace({ host: 'proxy.example.com', port: 3128 }), 'proxy/proxy.example.com:3128');
  assert.equal(proxyPlace({ host: '2001:db8::31', port: 8080 }), 'proxy/[2001:db8::31]:8080');
});

test('a place is told from that of a name that only begins in the same way', () => {
  assert.ok(isOfSeed(seedPlace('west', 'api'), 'west'));
  assert.ok(!isOfSeed(seedPlace('west-2', 'api'), 'west'));
  assert.ok(areWorkersIn(tenantPlace('dc1', 'red', 'workers'), 'dc1'));
  assert.ok(!areWorkersIn(tenantPlace('dc1', 'red', 'resolvers'), 'dc1'));
  assert.ok(!isOfSeed(clusterPlace('west', 'nodes'), 'west'));
});
