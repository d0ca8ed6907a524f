import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalIp } from './ip-words.ts';
import { type ProxyReading, proxyHeader, readProxyHeader } from './proxy-protocol.ts';

const line = (text: string): ProxyReading => readProxyHeader(Buffer.from(text, 'latin1'));
const signature = '\r\n\r\n\0\r\nQUIT\n';
const v2 = (command: number, family: number, payload: Buffer): Buffer => {
  const head = Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.from([command, family, 0, 0])]);
  head.writeUInt16BE(payload.length, 14);
  return Buffer.concat([head, payload]);
};
const port = fc.integer({ min: 0, max: 65_535 });
const endpoint = fc.record({ address: fc.oneof(fc.ipV4(), fc.ipV6()), port });
const v1Line = (from: string, to: string, family = 'TCP4'): string => `PROXY ${family} ${from} ${to} 5000 6443\r\n`;

describe('a PROXY header of version 1', () => {
  it('tells both ends and where it stops', () => {
    assert.deepEqual(line(`${v1Line('192.0.2.1', '10.0.0.1')}rest`), {
      state: 'done',
      length: 41,
      source: { address: '192.0.2.1', port: 5000 },
      destination: { address: '10.0.0.1', port: 6443 },
    });
    const reading = line(v1Line('2001:DB8::1', '::ffff:10.0.0.1', 'TCP6'));
    assert.ok(reading.state === 'done');
    assert.deepEqual(reading.source, { address: '2001:db8::1', port: 5000 });
    assert.equal(reading.destination?.address, '10.0.0.1');
  });

  it('may tell nothing', () => {
    for (const text of ['PROXY UNKNOWN\r\n', 'PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n']) {
      assert.deepEqual(line(text), { state: 'done', length: text.length, source: undefined, destination: undefined });
    }
  });

  it('is refused when it is not exactly right', () => {
    for (const text of [
      v1Line('192.0.2.1', '2001:db8::1'),
      v1Line('192.0.2.1', '10.0.0.1', 'TCP6'),
      v1Line('192.0.2.01', '10.0.0.1'),
      v1Line('host', '10.0.0.1'),
      'PROXY TCP4 192.0.2.1 10.0.0.1 05000 6443\r\n',
      'PROXY TCP4 192.0.2.1 10.0.0.1 65536 6443\r\n',
      'PROXY TCP4 192.0.2.1 10.0.0.1 1\r\n',
      'PROXY TCP4 192.0.2.1 10.0.0.1 1 2 3\r\n',
      'PROXY TCP4  192.0.2.1 10.0.0.1 1 2\r\n',
      'PROXY\r\n',
      'PROXYTCP4 192.0.2.1 10.0.0.1 1 2\r\n',
      'GET / HTTP/1.1\r\n',
      `PROXY TCP4 ${'x'.repeat(100)}`,
    ]) {
      assert.equal(line(text).state, 'bad', text);
    }
  });
});

describe('a PROXY header of version 2', () => {
  it('is read as it was written, IPv4 in IPv6 notation as IPv4', () => {
    fc.assert(
      fc.property(endpoint, endpoint, fc.uint8Array({ maxLength: 30 }), (source, destination, behind) => {
        const header = proxyHeader(source, destination);
        const plain = ({ address, port }: typeof source) => ({ address: canonicalIp(address), port });
        assert.deepEqual(readProxyHeader(Buffer.concat([header, behind])), {
          state: 'done',
          length: header.length,
          source: plain(source),
          destination: plain(destination),
        });
      }),
    );
  });

  it('has the bytes of the specification', () => {
    const header = proxyHeader({ address: '192.0.2.1', port: 0x1234 }, { address: '10.0.0.1', port: 443 });
    assert.equal(header.toString('hex'), '0d0a0d0a000d0a515549540a2111000cc00002010a000001123401bb');
  });

  it('asks for more until it is complete, and no longer', () => {
    const header = proxyHeader({ address: '2001:db8::1', port: 1 }, { address: '2001:db8::2', port: 2 });
    for (let length = 0; length < header.length; length++) {
      assert.equal(readProxyHeader(header, length).state, 'more');
    }
  });

  it('may tell nothing: LOCAL, no family, unix sockets', () => {
    for (const header of [
      v2(0x20, 0, Buffer.alloc(0)),
      v2(0x20, 0x11, Buffer.alloc(12, 9)),
      v2(0x21, 0, Buffer.alloc(5)),
      v2(0x21, 0x31, Buffer.alloc(216)),
    ]) {
      const reading = readProxyHeader(header);
      assert.deepEqual(reading, { state: 'done', length: header.length, source: undefined, destination: undefined });
    }
    assert.equal(proxyHeader({ address: '', port: 0 }, { address: '10.0.0.1', port: 1 }).length, 16);
  });

  it('may have additions, which are passed over', () => {
    const addresses = proxyHeader({ address: '192.0.2.1', port: 7 }, { address: '10.0.0.1', port: 8 }).subarray(16);
    const reading = readProxyHeader(v2(0x21, 0x11, Buffer.concat([addresses, Buffer.from([4, 0, 3, 0, 0, 0])])));
    assert.ok(reading.state === 'done');
    assert.deepEqual([reading.length, reading.source?.address], [34, '192.0.2.1']);
  });

  it('is refused when it is of another version, too short or too long', () => {
    for (const header of [
      v2(0x11, 0x11, Buffer.alloc(12)),
      v2(0x22, 0x11, Buffer.alloc(12)),
      v2(0x21, 0x11, Buffer.alloc(11)),
      v2(0x21, 0x21, Buffer.alloc(35)),
      v2(0x21, 0x11, Buffer.alloc(537)),
      Buffer.from(`${signature.slice(0, -1)}x`),
    ]) {
      assert.equal(readProxyHeader(header).state, 'bad');
    }
  });
});
