import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { type TestContext, test } from 'node:test';
import { pattern } from '../../../net/tunnel/testing/pattern.ts';
import { authorityOf, tunnelFixture } from './testing/tunnel-fixture.ts';

const limit = { timeout: 30_000 };

function session(t: TestContext, port: number): ClientHttp2Session {
  const opened = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 4 * 1024 * 1024 } });
  opened.on('error', () => {});
  t.after(() => opened.destroy());
  return opened;
}
function request(opened: ClientHttp2Session, authority: string, more: Record<string, string> = {}): ClientHttp2Stream {
  const stream = opened.request({ ':method': 'CONNECT', ':authority': authority, ...more });
  stream.on('error', () => {});
  return stream;
}
async function answerTo(stream: ClientHttp2Stream): Promise<{ status: unknown; refusal: unknown }> {
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  return { status: headers[':status'], refusal: headers['causeway-refusal'] };
}

const closed = (one: ClientHttp2Stream | ClientHttp2Session): Promise<void> =>
  new Promise((resolve) => {
    if (one.destroyed) resolve();
    else one.once('close', resolve);
  });

test('carries 10 MiB each way for a plain HTTP/2 client', limit, async (t) => {
  const { port } = await tunnelFixture(t);
  const stream = request(session(t, port), authorityOf('one'));
  assert.deepEqual(await answerTo(stream), { status: 200, refusal: undefined });
  const sent = pattern(0, 10 * 1024 * 1024, 5);
  stream.end(sent);
  const got: Buffer[] = [];
  for await (const chunk of stream) got.push(chunk as Buffer);
  assert.equal(Buffer.concat(got).equals(sent), true);
});

test('refuses with a status, a code and a sentence, and touches no backend', limit, async (t) => {
  const { port, opened, refused } = await tunnelFixture(t);
  const own = session(t, port);
  assert.deepEqual(await answerTo(request(own, 'elsewhere:443')), { status: 404, refusal: 'unknown-authority' });
  assert.deepEqual(await answerTo(own.request({ ':path': '/' })), { status: 405, refusal: 'not-connect' });
  const large = request(own, authorityOf('one'), { 'x-large': 'x'.repeat(9000) });
  assert.deepEqual(await answerTo(large), { status: 431, refusal: 'headers-too-large' });
  assert.deepEqual(refused, ['unknown-authority', 'not-connect', 'headers-too-large']);
  assert.equal(opened.length, 0);
});

test('a CONNECT without authority never reaches a backend', limit, async (t) => {
  const { port, opened } = await tunnelFixture(t);
  const stream = request(session(t, port), '');
  await closed(stream);
  assert.notEqual(stream.rstCode, 0);
  assert.equal(opened.length, 0);
});

test('headers far beyond the limit cost neither memory nor a backend', limit, async (t) => {
  const { port, opened } = await tunnelFixture(t);
  const stream = request(session(t, port), authorityOf('one'), { 'x-large': 'x'.repeat(120_000) });
  await closed(stream);
  assert.equal(opened.length, 0);
});

test('without TLS it takes nobody where credentials are asked for', limit, async (t) => {
  const { port, token, opened } = await tunnelFixture(t, { tunnel: { authentication: 'token' } });
  const authorization = { 'proxy-authorization': `Bearer ${token('one')}` };
  const answer = await answerTo(request(session(t, port), authorityOf('one'), authorization));
  assert.deepEqual(answer, { status: 400, refusal: 'not-tls' });
  assert.equal(opened.length, 0);
});

test('a session that opens and resets streams without end is closed', limit, async (t) => {
  const { port, opened, refused } = await tunnelFixture(t);
  const own = session(t, port);
  let goaway = 0;
  own.on('goaway', (code) => {
    goaway = code;
  });
  let made = 0;
  await once(own, 'connect');
  // Then it only waits: on a busy machine the gateway reads later than this end writes.
  while (!own.destroyed && made < 20_000) {
    for (let turn = 0; turn < 500 && !own.destroyed; turn += 1) {
      request(own, authorityOf('one')).close(constants.NGHTTP2_CANCEL);
      made += 1;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed(own);
  assert.equal(goaway, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  assert.ok(refused.includes('too-many-resets'));
  assert.ok(opened.length < 1100, `${opened.length} backends were touched`);
  // Others are served.
  assert.equal((await answerTo(request(session(t, port), authorityOf('one')))).status, 200);
});

test('a drain lets streams go on and takes no new session for long', limit, async (t) => {
  const { port, server } = await tunnelFixture(t);
  const own = session(t, port);
  const stream = request(own, authorityOf('one'));
  await answerTo(stream);
  const goaway = once(own, 'goaway');
  server.drain();
  await goaway;
  stream.write('still there');
  assert.equal(String((await once(stream, 'data'))[0]), 'still there');
  stream.end();
  await closed(own);
  while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('a backend that cannot be reached is a refusal', limit, async (t) => {
  const { port } = await tunnelFixture(t, { backend: 1 });
  const answer = await answerTo(request(session(t, port), authorityOf('one')));
  assert.deepEqual(answer, { status: 503, refusal: 'no-backend' });
});
