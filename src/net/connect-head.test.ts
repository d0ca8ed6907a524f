import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConnectResponseReader, type HeadResult, headLimits, writeConnectRequest } from './connect-head.ts';

const read = (...pieces: (string | Buffer)[]): HeadResult => {
  const reader = new ConnectResponseReader();
  let result: HeadResult = { state: 'more' };
  for (const piece of pieces) {
    result = reader.push(Buffer.from(piece as string, 'latin1'));
    if (result.state !== 'more') break;
  }
  return result;
};

test('asks for host and port in authority form, with Basic credentials in UTF-8', () => {
  const credentials = { user: 'Zoë', password: 'a:b c%/@' };
  const text = writeConnectRequest({ host: 'fd00::1', port: 443, credentials }).toString('latin1');
  assert.match(text, /^CONNECT \[fd00::1\]:443 HTTP\/1\.1\r\nHost: \[fd00::1\]:443\r\n/);
  const sent = /Proxy-Authorization: Basic (\S+)\r\n/.exec(text)?.[1] ?? '';
  assert.equal(Buffer.from(sent, 'base64').toString('utf8'), 'Zoë:a:b c%/@');
  assert.match(text, /\r\n\r\n$/);
});

test('sends no credentials where there are none', () => {
  assert.doesNotMatch(writeConnectRequest({ host: 'a.example', port: 443 }).toString('latin1'), /Authorization/);
});

test('never lets a host name write a header', () => {
  assert.throws(() => writeConnectRequest({ host: 'a\r\nX: y', port: 1 }), RangeError);
});

test('reads status, repeated headers and the bytes behind the head', () => {
  const result = read(
    'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Negotiate\r\nproxy-authenticate:  Basic realm="x"\r\n\r\nbody',
  );
  assert.equal(result.state, 'done');
  if (result.state !== 'done') return;
  assert.equal(result.response.status, 407);
  assert.deepEqual(result.response.headers.get('proxy-authenticate'), ['Negotiate', 'Basic realm="x"']);
  assert.equal(result.rest.toString(), 'body');
});

test('reads an answer of HTTP/1.0, without reason, with bare line feeds, and a folded header', () => {
  const result = read('HTTP/1.0 200\nVia: one,\n two\n\n');
  assert.equal(result.state, 'done');
  if (result.state === 'done') assert.deepEqual(result.response.headers.get('via'), ['one, two']);
});

test('waits for the answer behind an interim one', () => {
  const result = read('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n');
  assert.equal(result.state === 'done' && result.response.status, 200);
});

test('shows no control characters of an answer', () => {
  const result = read('HTTP/1.1 403 \x1b[31mno\r\nX: a\x07b\r\n\r\n');
  assert.equal(result.state === 'done' && result.response.statusLine, 'HTTP/1.1 403 ·[31mno');
  assert.deepEqual(result.state === 'done' && result.response.headers.get('x'), ['a·b']);
});

for (const [what, bytes, why] of [
  ['a TLS alert', '\x15\x03\x01\x00\x02\x02\x46', 'speaks-tls'],
  ['a server of something else, at its first byte', 'S', 'not-http'],
  ['HTTP/2', 'HTTP/2 200\r\n\r\n', 'not-http'],
  ['a status that is no number', 'HTTP/1.1 abc\r\n\r\n', 'malformed'],
  ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'malformed'],
  ['more than 16 KiB', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(headLimits.bytes)}`, 'too-large'],
  ['more than 64 lines', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(headLimits.lines)}`, 'too-many-lines'],
  ['interim answers without an end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(64), 'too-many-lines'],
] as const) {
  test(`refuses ${what}`, () => {
    const result = read(bytes);
    assert.equal(result.state === 'bad' && result.why, why);
  });
}

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,15}$/);
const value = fc.stringMatching(/^([!-~]([ -~]{0,20}[!-~])?)?$/);
const heads = fc
  .tuple(fc.integer({ min: 200, max: 599 }), fc.array(fc.tuple(token, value), { maxLength: 8 }), fc.string())
  .map(([status, headers, rest]) => ({
    status,
    headers,
    rest,
    text: `HTTP/1.1 ${status} Some words\r\n${headers.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`,
  }));

/** Cuts at these places, wherever they fall. */
const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : at[i - 1], end));
};

test('reads the same whatever way the head is cut', () => {
  fc.assert(
    fc.property(heads, fc.array(fc.nat(), { maxLength: 12 }), ({ status, headers, text }, places) => {
      const result = read(...cut(Buffer.from(text, 'latin1'), places));
      assert.equal(result.state, 'done');
      if (result.state !== 'done') return;
      assert.equal(result.response.status, status);
      for (const [name, v] of headers) assert.ok(result.response.headers.get(name.toLowerCase())?.includes(v));
    }),
  );
});

test('answers anything, in any pieces, without throwing', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (pieces) => {
      const reader = new ConnectResponseReader();
      for (const piece of pieces) if (reader.push(Buffer.from(piece)).state !== 'more') return;
    }),
  );
});
