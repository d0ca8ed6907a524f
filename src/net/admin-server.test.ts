import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../sys/log.ts';
import { type AdminPlace, adminRequest, readAdminAddress, readAdminPlace, usualAdminSocket } from './admin-address.ts';
import { type AdminServer, serveAdmin } from './admin-server.ts';

const routes = {
  'GET /healthz': () => ({ text: 'ok' }),
  'GET /readyz': () => ({ status: 503, json: { ready: false, version: 'secret-version' } }),
  'GET /metrics': () => ({ text: 'connections 7' }),
  'GET /broken': () => {
    throw new Error('out of order');
  },
  'POST /drain': () => ({ status: 202, json: { draining: true } }),
};

const served = (place: AdminPlace): Promise<AdminServer> =>
  serveAdmin(place, routes, { log: silentLog, headers: { 'causeway-instance': 'x' } });

async function started(t: TestContext, place: AdminPlace): Promise<AdminServer> {
  const server = await served(place);
  t.after(() => server.close());
  return server;
}

const token = 'a-token-of-more-than-24-letters';
const authorization = `Bearer ${token}`;

function tokenIn(t: TestContext, text = `${token}\n`, mode = 0o600): string {
  const file = path.join(scratch(t), 'admin.token');
  writeFileSync(file, text, { mode });
  return file;
}

const tcp = (t: TestContext, tokenFile = tokenIn(t)): AdminPlace => ({ host: '127.0.0.1', port: 0, tokenFile });
const socket = (t: TestContext): AdminPlace => ({ path: path.join(scratch(t), 'admin.sock') });

interface Got {
  readonly status: number | undefined;
  readonly text: string;
}

const ask = (server: AdminServer, where: string, headers = {}, method = 'GET'): Promise<Got> =>
  new Promise((resolve, reject) => {
    const options = { ...adminRequest(server.address), path: where, method, headers, agent: false };
    const received = async (response: IncomingMessage): Promise<Got> => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      return { status: response.statusCode, text };
    };
    request(options, (response) => resolve(received(response)))
      .once('error', reject)
      .end();
  });

function scratch(t: TestContext): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'causeway-admin-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('answers what it has, and says what there is for everything else', async (t) => {
  const server = await started(t, socket(t));
  assert.deepEqual(await ask(server, '/healthz'), { status: 200, text: 'ok\n' });
  const unknown = await ask(server, '/constructor');
  assert.equal(unknown.status, 404);
  assert.match(unknown.text, /GET \/healthz/);
});

test('what is no address is answered as a mistake of the one who asked', async (t) => {
  const server = await started(t, socket(t));
  for (const where of ['//', 'http://', '/\\', '//[']) assert.equal((await ask(server, where)).status, 400, where);
  assert.equal((await ask(server, '/healthz')).status, 200);
});

test('a command is not run by a GET', async (t) => {
  const server = await started(t, socket(t));
  assert.equal((await ask(server, '/drain')).status, 405);
  assert.equal((await ask(server, '/drain', {}, 'POST')).status, 202);
});

test('refuses a web page, whether it comes by another name or by the right one', async (t) => {
  const server = await started(t, tcp(t));
  assert.equal((await ask(server, '/healthz', { host: 'evil.example:9902', authorization })).status, 403);
  assert.equal((await ask(server, '/drain', { origin: 'http://127.0.0.1:3000', authorization }, 'POST')).status, 403);
  assert.equal((await ask(server, '/healthz', { host: 'localhost:9902', authorization })).status, 200);
});

test('a port asks for the token of its file, for reading and for commands', async (t) => {
  const server = await started(t, tcp(t));
  for (const [where, method] of [
    ['/metrics', 'GET'],
    ['/metrics', 'HEAD'],
    ['/nothing', 'GET'],
    ['/drain', 'POST'],
  ] as const) {
    const wrong = ['', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, 'Bearer', token];
    for (const header of wrong) {
      const answer = await ask(server, where, header === '' ? {} : { authorization: header }, method);
      assert.equal(answer.status, 401, `${method} ${where} with "${header}"`);
      assert.doesNotMatch(answer.text, /connections|drain/);
    }
  }
  assert.deepEqual(await ask(server, '/metrics', { authorization }), { status: 200, text: 'connections 7\n' });
  assert.equal((await ask(server, '/drain', { authorization }, 'POST')).status, 202);
});

test('probes of a port need no token, and are told yes or no and nothing else', async (t) => {
  const server = await started(t, tcp(t));
  assert.deepEqual(await ask(server, '/healthz'), { status: 200, text: 'ok\n' });
  assert.deepEqual(await ask(server, '/readyz'), { status: 503, text: 'not ok\n' });
  assert.match((await ask(server, '/readyz', { authorization })).text, /secret-version/);
  // By this a worker whose supervisor was killed knows another one.
  const probe = await fetch(`http://127.0.0.1:${(server.address as { port: number }).port}/healthz`);
  assert.equal(probe.headers.get('causeway-instance'), 'x');
});

test('another token in the file is the one that counts', async (t) => {
  const file = tokenIn(t);
  const server = await started(t, tcp(t, file));
  const other = 'another-token-of-more-than-24-letters';
  writeFileSync(file, other);
  const late = performance.now() + 10_000;
  while ((await ask(server, '/metrics', { authorization: `Bearer ${other}` })).status !== 200)
    assert.ok(performance.now() < late);
  assert.equal((await ask(server, '/metrics', { authorization })).status, 401);
});

test('a token that is missing, short, of several words or open to everybody is refused, and not told', async (t) => {
  const refused = (message: RegExp) => (error: Error & { code?: string; fix?: string }) => {
    assert.equal(error.code, 'CW-ADMIN-TOKEN');
    assert.match(error.message, message);
    assert.doesNotMatch(`${error.message}${error.fix}`, /letmein/);
    return true;
  };
  await assert.rejects(served(tcp(t, path.join(scratch(t), 'none'))), refused(/does not exist/));
  await assert.rejects(served(tcp(t, tokenIn(t, 'letmein'))), refused(/holds no token/));
  await assert.rejects(served(tcp(t, tokenIn(t, 'letmein letmein letmein letmein'))), refused(/holds no token/));
  const open = tokenIn(t);
  chmodSync(open, 0o644);
  await assert.rejects(served(tcp(t, open)), refused(/every user of this machine/));
});

test('what fails is answered, and the server goes on', async (t) => {
  const server = await started(t, socket(t));
  assert.equal((await ask(server, '/broken')).status, 500);
  assert.equal((await ask(server, '/healthz')).status, 200);
});

test('a unix socket is for its owner alone, and goes when the server ends', async (t) => {
  const file = path.join(scratch(t), 'admin.sock');
  const server = await served({ path: file });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal((await ask(server, '/healthz')).text, 'ok\n');
  await server.close();
  assert.equal(existsSync(file), false);
});

test('the directory of a socket is made for its user alone', async (t) => {
  const file = path.join(scratch(t), 'of', 'gateway', 'admin.sock');
  await started(t, { path: file });
  for (const made of [path.dirname(file), path.dirname(path.dirname(file))])
    assert.equal(statSync(made).mode & 0o777, 0o700, made);
});

test('no socket is made where another user could put one in its place', async (t) => {
  const parent = path.join(scratch(t), 'open');
  const own = path.join(parent, 'own');
  mkdirSync(own, { recursive: true });
  for (const mode of [0o777, 0o770]) {
    chmodSync(parent, mode);
    for (const directory of [parent, own, path.join(own, 'new')]) {
      const file = path.join(directory, 'admin.sock');
      await assert.rejects(served({ path: file }), {
        code: 'CW-ADMIN-SOCKET',
        message: /open is not only yours.*exchange/,
      });
      assert.equal(existsSync(file), false);
    }
  }
  // As /tmp: others may add to it, and cannot exchange what is ours.
  chmodSync(parent, 0o1777);
  await started(t, { path: path.join(parent, 'admin.sock') });
});

test('a unix socket that a killed program left behind is taken over, one in use is not', async (t) => {
  const file = path.join(scratch(t), 'admin.sock');
  const first = await started(t, { path: file });
  await assert.rejects(served({ path: file }), /another program answers/);
  assert.equal((await ask(first, '/healthz')).status, 200);
});

test('says that a port is in use, and what to do', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  await assert.rejects(served({ host: '127.0.0.1', port, tokenFile: tokenIn(t) }), { code: 'CW-ADMIN-LISTEN' });
});

test('knows addresses of this machine and unix sockets, and refuses the rest with a reason', () => {
  assert.deepEqual(readAdminAddress('127.0.0.1:9902'), { host: '127.0.0.1', port: 9902 });
  assert.deepEqual(readAdminAddress('[::1]:0'), { host: '::1', port: 0 });
  assert.deepEqual(readAdminAddress('localhost:1'), { host: '127.0.0.1', port: 1 });
  assert.deepEqual(readAdminAddress('unix:/run/x.sock'), { path: '/run/x.sock' });
  for (const text of ['0.0.0.0:9902', '[::]:9902', '10.0.0.1:1'])
    assert.throws(() => readAdminAddress(text), /outside/);
  for (const text of ['', '9902', '127.0.0.1', '127.0.0.1:70000', 'example.com:1', 'unix:'])
    assert.throws(() => readAdminAddress(text), /no admin address/);
});

test('an address with a port needs a token file, and a socket needs none', () => {
  assert.deepEqual(readAdminPlace('unix:/run/x.sock', undefined), { path: '/run/x.sock' });
  assert.deepEqual(readAdminPlace('127.0.0.1:1', '/t'), { host: '127.0.0.1', port: 1, tokenFile: '/t' });
  const refused = { code: 'CW-ADMIN-TOKEN', fix: /--admin/ };
  assert.throws(() => readAdminPlace('127.0.0.1:9902', undefined), refused);
  assert.throws(() => readAdminPlace('unix:/run/x.sock', '/t'), refused);
});

test('the usual socket is where the unit or the user has a place for it', () => {
  const of = (env: NodeJS.ProcessEnv) => usualAdminSocket('gateway', env).path;
  const user = { XDG_RUNTIME_DIR: '/run/user/7' };
  assert.equal(of({ ...user, RUNTIME_DIRECTORY: '/run/causeway:/run/other' }), '/run/causeway/gateway.sock');
  assert.equal(of(user), '/run/user/7/causeway/gateway.sock');
  for (const env of [{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: 'run', RUNTIME_DIRECTORY: 'run' }])
    assert.match(of(env) ?? '', /^\/.*\/causeway-\d+\/gateway\.sock$/);
});
