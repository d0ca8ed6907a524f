import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AdminAddress, type AdminServer, adminRequest, readAdminAddress, serveAdmin } from './admin-server.ts';

const routes = {
  'GET /healthz': () => ({ text: 'ok' }),
  'GET /broken': () => {
    throw new Error('out of order');
  },
  'POST /drain': () => ({ status: 202, json: { draining: true } }),
};

async function started(t: TestContext, address: AdminAddress = { host: '127.0.0.1', port: 0 }): Promise<AdminServer> {
  const server = await serveAdmin(address, routes, { 'causeway-instance': 'x' });
  t.after(() => server.close());
  return server;
}

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
  const server = await started(t);
  assert.deepEqual(await ask(server, '/healthz'), { status: 200, text: 'ok\n' });
  const unknown = await ask(server, '/constructor');
  assert.equal(unknown.status, 404);
  assert.match(unknown.text, /GET \/healthz/);
});

test('what is no address is answered as a mistake of the one who asked', async (t) => {
  const server = await started(t);
  for (const where of ['//', 'http://', '/\\', '//[']) assert.equal((await ask(server, where)).status, 400, where);
  assert.equal((await ask(server, '/healthz')).status, 200);
});

test('a command is not run by a GET', async (t) => {
  const server = await started(t);
  assert.equal((await ask(server, '/drain')).status, 405);
  assert.equal((await ask(server, '/drain', {}, 'POST')).status, 202);
});

test('refuses a web page, whether it comes by another name or by the right one', async (t) => {
  const server = await started(t);
  assert.equal((await ask(server, '/healthz', { host: 'evil.example:9902' })).status, 403);
  assert.equal((await ask(server, '/drain', { origin: 'http://127.0.0.1:3000' }, 'POST')).status, 403);
  assert.equal((await ask(server, '/healthz', { host: 'localhost:9902' })).status, 200);
});

test('what fails is answered, and the server goes on', async (t) => {
  const server = await started(t);
  assert.equal((await ask(server, '/broken')).status, 500);
  assert.equal((await ask(server, '/healthz')).status, 200);
});

test('a unix socket is for its owner alone, and goes when the server ends', async (t) => {
  const file = path.join(scratch(t), 'admin.sock');
  const server = await serveAdmin({ path: file }, routes);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal((await ask(server, '/healthz')).text, 'ok\n');
  await server.close();
  assert.equal(existsSync(file), false);
});

test('a unix socket that a killed program left behind is taken over, one in use is not', async (t) => {
  const file = path.join(scratch(t), 'admin.sock');
  const first = await started(t, { path: file });
  await assert.rejects(serveAdmin({ path: file }, routes), /another program answers/);
  assert.equal((await ask(first, '/healthz')).status, 200);
});

test('says that a port is in use, and what to do', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  await assert.rejects(serveAdmin({ host: '127.0.0.1', port }, routes), { code: 'CW-ADMIN-LISTEN' });
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
