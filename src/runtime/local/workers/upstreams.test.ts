import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { behindProxy, sampleInput } from './testing/input.ts';
import { accessTo, proxyUrl, targetsOf, upstreamsOf } from './upstreams.ts';

const proxy = { url: 'http://127.0.0.1:3128', credentials: { user: 'w@rk', password: 'p:/ss' } };

describe('ways to the seed', () => {
  it('directly lead to the address of the gateway, and tell it the name', () => {
    const { apiServer, konnectivity, tunnel } = upstreamsOf(sampleInput(), undefined);
    assert.deepEqual(apiServer, { dial: { host: '127.50.0.2', port: 6443 }, serverName: 'shop.west.example' });
    assert.equal(konnectivity.serverName, 'konnectivity-server.shop.west.example');
    assert.deepEqual(tunnel?.dial, { host: '127.50.0.2', port: 8088 });
    assert.deepEqual(accessTo(apiServer), { server: 'https://127.50.0.2:6443', serverName: 'shop.west.example' });
  });

  it('to an address of its own need no name', () => {
    const { reachability } = sampleInput();
    const kubelet = { by: 'direct' as const, target: '127.50.0.10:30000', reason: '' };
    const { apiServer } = upstreamsOf(sampleInput({ reachability: { ...reachability, kubelet } }), undefined);
    assert.deepEqual(accessTo(apiServer), { server: 'https://127.50.0.10:30000' });
  });

  it('through a proxy keep the names, which the proxy knows', () => {
    const { apiServer, tunnel } = upstreamsOf(behindProxy(), proxy);
    assert.deepEqual(accessTo(apiServer), { server: 'https://shop.west.example:6443', proxy: proxyUrl(proxy) });
    assert.deepEqual(tunnel, {
      dial: { host: 'tunnel.west.example', port: 8088 },
      serverName: 'tunnel.west.example',
      proxy,
    });
  });

  it('are told to the proxy', () => {
    assert.deepEqual(
      targetsOf(behindProxy()).map(({ host, port }) => `${host}:${port}`),
      ['shop.west.example:6443', 'konnectivity-server.shop.west.example:6443', 'tunnel.west.example:8088'],
    );
  });

  it('that nobody has chosen yet are refused with what to do', () => {
    const { reachability } = sampleInput();
    const kubelet = { by: 'direct' as const, target: 'pending', reason: '' };
    assert.throws(() => upstreamsOf(sampleInput({ reachability: { ...reachability, kubelet } }), undefined), {
      code: 'CW-WORKER-WAY',
      fix: /plan --lock/,
    });
  });
});

it('credentials survive being put into a URL', () => {
  const { username, password } = new URL(proxyUrl(proxy));
  assert.deepEqual([decodeURIComponent(username), decodeURIComponent(password)], ['w@rk', 'p:/ss']);
});
