import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { Server } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { createAuthority, issueServer, validFor } from '../pki/index.ts';
import { serveApi } from './serve.ts';
import { sampleApi } from './testing/sample-api.ts';

const user = { name: 'ann', role: 'admin' as const, hash: '$2b$04$x' };
const anywhere = { host: '0.0.0.0', port: 0 };

test('beyond loopback it is served with TLS and a login, or not at all', async (t) => {
  const { api, directory } = await sampleApi(t);
  await assert.rejects(serveApi({ api, address: anywhere }), { code: 'CW-API-OPEN', message: /TLS and a login/ });
  const tls = { certFile: path.join(directory, 'tls.crt'), keyFile: path.join(directory, 'tls.key') };
  await assert.rejects(serveApi({ api, address: anywhere, tls }), { code: 'CW-API-OPEN', message: /without a login/ });
  const withUsers = await sampleApi(t, { auth: { users: [user] } });
  await assert.rejects(serveApi({ api: withUsers.api, address: anywhere }), { message: /without TLS/ });
});

test('with both it answers over TLS, to the names it was given', async (t) => {
  const { api, directory } = await sampleApi(t, { auth: { users: [user] }, hosts: ['page.example.com'] });
  const validity = validFor(new Date(), 1);
  const authority = await createAuthority('test', validity);
  const { certificate, key } = await issueServer(authority, ['page.example.com'], validity);
  const tls = { certFile: path.join(directory, 'tls.crt'), keyFile: path.join(directory, 'tls.key') };
  writeFileSync(tls.certFile, certificate);
  writeFileSync(tls.keyFile, key);
  const served = await serveApi({ api, address: anywhere, tls });
  t.after(() => served.close());
  const port = Number(new URL(served.url).port);
  const status = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/healthz', ca: authority.certificate, headers: { host } };
      request({ ...options, servername: 'page.example.com' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  assert.equal(await status('page.example.com'), 200);
  assert.equal(await status('other.example.com'), 421);
});

test('a port that is taken is said, with what to do', async (t) => {
  const { api } = await sampleApi(t);
  const first = await serveApi({ api, address: { host: '127.0.0.1', port: 0 } });
  t.after(() => first.close());
  const address = { host: '127.0.0.1', port: Number(new URL(first.url).port) };
  await assert.rejects(serveApi({ api, address }), { code: 'CW-API-LISTEN', message: /another program uses it/ });
});

test('connections that cannot be taken, as when too many files are open, do not end it', async (t) => {
  const { api } = await sampleApi(t);
  const listening = t.mock.method(Server.prototype, 'listen');
  const served = await serveApi({ api, address: { host: '127.0.0.1', port: 0 } });
  t.after(() => served.close());
  const server = listening.mock.calls[0]?.this as Server;
  for (const code of ['EMFILE', 'EMFILE']) server.emit('error', Object.assign(new Error(`accept ${code}`), { code }));
  assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
});
