import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { programsConfig } from './config.ts';
import { download } from './download.ts';
import { cacheProblem, SourceUnavailable } from './errors.ts';
import { sandbox, serve } from './testing/sandbox.ts';

const whole = 'abcdefghij'.repeat(10_000);
const half = whole.length / 2;
const nobody = (): void => {};

/**
 * Sends some bytes, and breaks the connection when they are on the client's disk: what a reset overtakes in its buffers
 * is asked for again, rightly.
 */
const breakAfter = (response: ServerResponse, bytes: string, part: string): void => {
  response.writeHead(200, { 'content-length': whole.length });
  response.write(bytes);
  const timer = setInterval(() => {
    if (statSync(part, { throwIfNoEntry: false })?.size !== bytes.length) return;
    clearInterval(timer);
    response.destroy();
  }, 5);
  response.on('close', () => clearInterval(timer));
};

const rest = (response: ServerResponse, range: string): void => {
  const start = Number(/\d+/.exec(range)?.[0]);
  response.writeHead(206, { 'content-range': `bytes ${start}-${whole.length - 1}/${whole.length}` });
  response.end(whole.slice(start));
};

test('a broken download goes on where it broke', async (t) => {
  const { root, options } = sandbox(t);
  const part = path.join(root, 'file.part');
  const { origin, requests } = await serve(t, {
    '/file': ({ headers: { range } }, response) =>
      range ? rest(response, range) : breakAfter(response, whole.slice(0, half), part),
  });
  await download(`${origin}/file`, part, programsConfig(options), nobody);
  assert.equal(readFileSync(part, 'utf8'), whole);
  assert.deepEqual(requests, ['GET /file', `GET /file bytes=${half}-`]);
});

test('what an earlier process left is taken up', async (t) => {
  const { root, options } = sandbox(t);
  const { origin, requests } = await serve(t, {
    '/file': ({ headers: { range = '' } }, response) => rest(response, range),
  });
  const part = path.join(root, 'file.part');
  writeFileSync(part, whole.slice(0, 100));
  await download(`${origin}/file`, part, programsConfig(options), nobody);
  assert.equal(readFileSync(part, 'utf8'), whole);
  assert.deepEqual(requests, ['GET /file bytes=100-']);
});

test('a server that knows no ranges is asked for everything, and nothing is doubled', async (t) => {
  const { root, options } = sandbox(t);
  const { origin } = await serve(t, { '/file': whole });
  const part = path.join(root, 'file.part');
  writeFileSync(part, whole.slice(0, 100));
  await download(`${origin}/file`, part, programsConfig(options), nobody);
  assert.equal(readFileSync(part, 'utf8'), whole);
});

test('a part that is whole already is kept', async (t) => {
  const { root, options } = sandbox(t);
  const { origin } = await serve(t, { '/file': (_, response) => response.writeHead(416).end() });
  const part = path.join(root, 'file.part');
  writeFileSync(part, whole);
  await download(`${origin}/file`, part, programsConfig(options), nobody);
  assert.equal(readFileSync(part, 'utf8'), whole);
});

test('redirects are followed, and progress tells bytes', async (t) => {
  const { root, options } = sandbox(t);
  const { origin } = await serve(t, {
    '/file': (_, response) => response.writeHead(302, { location: '/there' }).end(),
    '/there': (_, response) => response.writeHead(200, { 'content-length': whole.length }).end(whole),
  });
  const told: string[] = [];
  const part = path.join(root, 'file.part');
  await download(`${origin}/file`, part, programsConfig(options), (detail) => told.push(detail));
  assert.equal(readFileSync(part, 'utf8'), whole);
  assert.equal(told.at(-1), '0.1 MB of 0.1 MB');
});

test('redirects in a circle end', async (t) => {
  const { root, options } = sandbox(t);
  const { origin, requests } = await serve(t, {
    '/file': (_, response) => response.writeHead(302, { location: '/file' }).end(),
  });
  await assert.rejects(
    download(`${origin}/file`, path.join(root, 'p'), programsConfig(options), nobody),
    SourceUnavailable,
  );
  assert.ok(requests.length < 10);
});

test('a server that says nothing is given up soon', async (t) => {
  const { root, options } = sandbox(t);
  const { origin } = await serve(t, { '/file': () => {} });
  const config = programsConfig({ ...options, timeouts: { answer: 100 } });
  await assert.rejects(download(`${origin}/file`, path.join(root, 'p'), config, nobody), {
    why: 'offline',
    message: /cannot be reached \(no answer\)/,
  });
});

test('a download that stalls again and again is given up', async (t) => {
  const { root, options } = sandbox(t);
  const { origin, requests } = await serve(t, {
    '/file': (_, response) => response.writeHead(200, { 'content-length': whole.length }).flushHeaders(),
  });
  const config = programsConfig({ ...options, timeouts: { stall: 50, retry: 1 } });
  await assert.rejects(download(`${origin}/file`, path.join(root, 'p'), config, nobody), { why: 'offline' });
  assert.ok(requests.length > 1);
});

test('a password in an address is not shown', async (t) => {
  const { root, options } = sandbox(t);
  const { origin } = await serve(t, {});
  const url = `${origin.replace('//', '//user:secret@')}/file`;
  await assert.rejects(download(url, path.join(root, 'p'), programsConfig(options), nobody), (error: Error) => {
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('a disk that fills up ends a download at once', { skip: !existsSync('/dev/full') }, async (t) => {
  const { options } = sandbox(t);
  const { origin, requests } = await serve(t, { '/file': whole });
  await assert.rejects(download(`${origin}/file`, '/dev/full', programsConfig(options), nobody), (error) => {
    assert.equal((cacheProblem(error, '/cache') as { code: string }).code, 'CW-PROGRAM-DISK');
    return true;
  });
  assert.equal(requests.length, 1);
});
