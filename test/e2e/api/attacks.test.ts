// What unauthenticated clients, other pages in the same browser and broken programs send to a listening API.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { requestHeader } from '../../../src/api/guard/requests.ts';
import { bearer, linkToken } from '../../../src/api/testing/sample-api.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { request, type Served, servedApi, statusOf } from './served-api.ts';

const undo = createUndoList();
let api: Served;
before(async () => {
  api = await servedApi(undo, { auth: { links: true } });
});
after(() => undo.run());

const session = '/api/v1/session';
const json = { 'content-type': 'application/json', [requestHeader]: '1' };
const withLength = (body: string): Record<string, string> => ({
  ...json,
  'content-length': String(Buffer.byteLength(body)),
});

describe('another name that leads here', () => {
  for (const host of [
    'evil.example',
    'evil.example:9900',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    '[::2]',
    '',
  ]) {
    it(`is refused: ${host || 'none at all'}`, async () => {
      for (const url of ['/', '/healthz', '/api/v1/login/methods', '/api/openapi.json'])
        assert.match(await api.raw(request(`GET ${url}`, { host })), /^HTTP\/1\.1 4(21|00) /, url);
    });
  }

  it('is refused in the request line as well', async () => {
    const answer = await api.raw(request('GET http://evil.example/healthz', { host: 'evil.example' }));
    assert.equal(statusOf(answer), 421);
  });

  for (const host of ['127.0.0.1:1', 'localhost', 'LOCALHOST:80', '[::1]:9900', '127.9.9.9'])
    it(`is fine where it is this machine: ${host}`, async () => {
      assert.equal(statusOf(await api.raw(request('GET /healthz', { host }))), 200);
    });
});

describe('another page', () => {
  // With a cookie, which browsers send by themselves. On loopback there is none.
  let api: Served;
  before(async () => {
    api = await servedApi(undo, { auth: { links: true }, encrypted: true });
  });
  const put = (headers: Record<string, string>) => {
    const body = '{}';
    return api.raw(request(`PUT /api/v1/resources/Cluster/shop`, { ...withLength(body), ...headers }, body));
  };

  it('cannot use a session: by form, by script, by a request without an origin', async () => {
    const { cookie = '' } = await api.session();
    const own = 'https://127.0.0.1';
    assert.equal(
      statusOf(await put({ cookie, origin: own, 'sec-fetch-site': 'same-origin' })),
      400,
      'only its body is wrong',
    );
    const foreign: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1234' },
      { origin: own, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign)
      assert.equal(statusOf(await put({ cookie, ...headers })), 403, JSON.stringify(headers));
  });

  it('cannot change anything with what a form can send', async () => {
    const { cookie = '' } = await api.session();
    const body = '{"token":"x"}';
    const headers = { cookie, 'content-type': 'text/plain', 'content-length': String(body.length) };
    assert.equal(statusOf(await api.raw(request(`POST ${session}`, headers, body))), 403);
    assert.equal(statusOf(await api.raw(request(`DELETE ${session}`, { cookie }))), 403);
  });

  it('cannot read: no answer allows it, and a script that tries is refused', async () => {
    const { cookie = '' } = await api.session();
    const answer = await api.raw(request('GET /api/v1/status', { cookie, origin: 'http://evil.example' }));
    assert.equal(statusOf(answer), 403);
    assert.doesNotMatch(answer, /access-control-allow/i);
    const allowed = await api.raw(request('GET /api/v1/status', { cookie }));
    assert.equal(statusOf(allowed), 200);
    assert.match(allowed, /cross-origin-resource-policy: same-origin/);
    assert.match(allowed, /x-frame-options: DENY/);
    assert.match(allowed, /content-security-policy: default-src 'none'; script-src 'self';/);
  });

  it('is not answered when it asks what it may send', async () => {
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'PUT' };
    const answer = await api.raw(request('OPTIONS /api/v1/resources/Cluster/shop', headers));
    assert.doesNotMatch(answer, /access-control-allow/i);
  });
});

describe('a path', () => {
  it('never leads out of the page, however it is written', async (t) => {
    const inside = createUndoList();
    t.after(() => inside.run());
    const directory = path.join(api.directory, 'dist');
    mkdirSync(path.join(directory, 'assets'), { recursive: true });
    writeFileSync(path.join(directory, 'index.html'), '<!doctype html><title>page</title>');
    writeFileSync(path.join(directory, 'assets/main-1.js'), 'page()');
    writeFileSync(path.join(directory, '.hidden'), 'secret');
    writeFileSync(path.join(api.directory, 'secret.txt'), 'secret');
    const served = await servedApi(inside, { pageDirectory: directory });
    assert.match(await served.raw(request('GET /assets/main-1.js')), /immutable[\s\S]*page\(\)$/);
    assert.match(await served.raw(request('GET /clusters/shop/deep/link')), /no-cache[\s\S]*<title>page/);
    for (const way of ways) {
      const answer = await served.raw(request(`GET ${way}`));
      assert.doesNotMatch(answer, /secret|root:/, way);
      assert.match(answer, /^HTTP\/1\.1 (200|400|404) /, way);
    }
  });

  const ways = [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/....//secret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/%252e%252e%252fsecret.txt',
    '//etc/passwd',
    '/assets//etc/passwd',
    '/secret.txt%00.js',
    '/%c0%ae%c0%ae/secret.txt',
    '/%',
    '/.hidden',
    '/assets/%2e%2e/.hidden',
  ];

  it('cannot name another file of the manifests', async () => {
    for (const name of ['..%2f..%2fetc', '.', '..', 'a%2fb', 'A', 'a%00', '%', 'x'.repeat(300)])
      for (const method of ['GET', 'DELETE']) {
        const headers = { ...bearer('admin'), 'if-match': '*' };
        const answer = await api.raw(request(`${method} /api/v1/resources/Cluster/${name}`, headers));
        assert.match(answer, /^HTTP\/1\.1 (400|404|405) /, `${method} ${name}`);
      }
  });
});

describe('a body', () => {
  const put = (body: string, headers: Record<string, string> = withLength(body)) =>
    api.raw(request('PUT /api/v1/resources/Cluster/shop', { ...bearer('admin'), ...headers }, body));

  it('that is too long is refused before it is read', async () => {
    const answer = await put('{}', { ...json, 'content-length': String(2 * 1024 * 1024) });
    assert.equal(statusOf(answer), 413);
    assert.match(answer, /CW-API-TOO-LARGE/);
  });

  it('that is broken is said to be, in the same form as every problem', async () => {
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"kind":1}',
      '{"__proto__":{}}',
      `${'['.repeat(20_000)}`,
      '\u0000',
    ]) {
      const answer = await put(body);
      assert.equal(statusOf(answer), 400, body.slice(0, 20));
      assert.match(answer, /"error":\{"code":"CW-API-REQUEST","message":".+","fix":".+"\}/, body.slice(0, 20));
    }
  });

  it('of another type is refused', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      '',
    ])
      assert.equal(statusOf(await put('{}', { ...withLength('{}'), 'content-type': type })), 415, type);
  });

  it('in chunks, or of two lengths, is refused', async () => {
    const chunked = { ...json, 'transfer-encoding': 'chunked' };
    assert.equal(statusOf(await put('2\r\n{}\r\n0\r\n\r\n', chunked)), 411);
    const both = { ...withLength('{}'), 'transfer-encoding': 'chunked' };
    assert.equal(statusOf(await put('2\r\n{}\r\n0\r\n\r\n', both)), 400);
  });
});

describe('a method', () => {
  it('that an address does not have is told which it has', async () => {
    const answer = await api.raw(request('DELETE /api/v1/status', { ...bearer('admin') }));
    assert.equal(statusOf(answer), 405);
    assert.match(answer, /allow: GET, HEAD/i);
  });

  it('is the one of the request line, whatever else is claimed', async () => {
    const headers = { ...bearer('viewer'), 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    const answer = await api.raw(request('GET /api/v1/resources/Cluster/tunneling?_method=DELETE', headers));
    assert.equal(statusOf(answer), 200);
    assert.ok(api.platform.view().clusters.some(({ name }) => name === 'tunneling'));
  });

  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'BREW'])
    it(`nobody uses is refused: ${method}`, async () => {
      const answer = await api.raw(request(`${method} /api/v1/status`, bearer('admin')));
      assert.ok(answer === '' || statusOf(answer) >= 400, answer);
    });
});

describe('headers', () => {
  it('that are too long, or come twice where one counts, are refused', async () => {
    assert.equal(statusOf(await api.raw(request('GET /healthz', { x: 'x'.repeat(20_000) }))), 431);
    for (const hosts of [
      ['127.0.0.1', 'evil.example'],
      ['evil.example', '127.0.0.1'],
    ]) {
      const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
      assert.match(await api.raw(`GET /healthz HTTP/1.1\r\n${lines}\r\n`), /^HTTP\/1\.1 4(00|21) /);
    }
  });

  it('cannot pretend to come from the control socket or from somebody else', async () => {
    const headers = {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-user': 'admin',
      trusted: 'true',
      'x-real-ip': '::1',
    };
    assert.equal(statusOf(await api.raw(request('GET /api/v1/status', headers))), 401);
  });
});

describe('guessing', () => {
  it('the token of a link is stopped after a few tries, and the link still works', async (t) => {
    const inside = createUndoList();
    t.after(() => inside.run());
    const served = await servedApi(inside, { auth: { links: true } });
    const token = linkToken(served.api);
    const statuses = new Set<number>();
    for (let i = 0; i < 12; i++) {
      const body = JSON.stringify({ token: `guess-${i}` });
      statuses.add(statusOf(await served.raw(request(`POST ${session}`, withLength(body), body))));
    }
    assert.deepEqual([...statuses], [401, 429]);
    const body = JSON.stringify({ token });
    const opened = await served.raw(request(`POST ${session}`, withLength(body), body));
    assert.equal(statusOf(opened), 200);
    assert.match(opened, /"token":"[\w-]{43}"/);
    assert.doesNotMatch(opened, /set-cookie/i);
    assert.notEqual(statusOf(await served.raw(request(`POST ${session}`, withLength(body), body))), 200);
  });
});
