import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostPort, parseHostPort } from './host-port.ts';

test('reads what it writes, for names and both families', () => {
  const hosts = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain());
  fc.assert(
    fc.property(hosts, fc.nat(65_535), (host, port) => {
      assert.deepEqual(parseHostPort(hostPort(host, port)), { host, port });
    }),
  );
});

test('refuses what is not a host with a port', () => {
  const wrong = ['', 'a', 'a:', ':1', 'a:65536', 'a:b', '::1:443', '[::1]', '[a]:1', '1.2.3:4', '256.1.1.1:1', 'a b:1'];
  for (const text of wrong) assert.equal(parseHostPort(text), undefined, text);
});

test('reads whatever it is given without throwing', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseHostPort(text)));
});
