import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import type { Undo } from '../../test/support/gateway/undo.ts';
import { CausewayError } from '../core/errors.ts';
import { createAuthority, issueClient, issueServer, validFor } from '../pki/index.ts';
import { createKubeClient, type KubeClient } from './client.ts';
import type { KubeAccess } from './transport.ts';

const year = validFor(new Date(), 365);
const authority = await createAuthority('Test', year);
const ca = authority.certificate;
const issued = await issueServer(authority, ['127.0.0.1', 'localhost'], year);

/** Says who asks and by which connection; a watch stays open. */
async function server(t: Undo): Promise<{ url: string; port: number }> {
  const options = { cert: issued.certificate, key: issued.key, ca, requestCert: true, rejectUnauthorized: false };
  const https = createServer(options, (request, response) => {
    if (request.url?.startsWith('/watch')) return response.writeHead(200).flushHeaders();
    const socket = request.socket as TLSSocket;
    const { remotePort } = socket;
    const { subject } = socket.getPeerCertificate();
    const { authorization, host } = request.headers;
    response.end(JSON.stringify({ name: subject?.CN, authorization, host, remotePort }));
  });
  https.listen(0, '127.0.0.1');
  await once(https, 'listening');
  t.after(() => {
    https.close();
    https.closeAllConnections();
  });
  const { port } = https.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, port };
}

interface Answer {
  readonly name?: string;
  readonly authorization?: string;
  readonly host: string;
  readonly remotePort: number;
}

function clientOf(t: Undo, access: KubeAccess): KubeClient {
  const client = createKubeClient(access);
  t.after(client.close);
  return client;
}

test('a token that was renewed is used by the next request, over the same connection', async (t) => {
  const { url } = await server(t);
  let token = 'first';
  const client = clientOf(t, { server: url, ca, token: () => token });
  const before = await client.get<Answer>('/');
  token = 'second';
  const after = await client.get<Answer>('/');
  assert.deepEqual([before?.authorization, after?.authorization], ['Bearer first', 'Bearer second']);
  assert.equal(before?.remotePort, after?.remotePort);
});

test('a certificate that was renewed is shown by the next request', async (t) => {
  const { url } = await server(t);
  const [first, second] = [
    await issueClient(authority, { commonName: 'first' }, year),
    await issueClient(authority, { commonName: 'second' }, year),
  ];
  let now = first;
  const reload = () => ({ ca, cert: now.certificate, key: now.key });
  const client = clientOf(t, { server: url, reload });
  assert.equal((await client.get<Answer>('/'))?.name, 'first');
  now = second;
  assert.equal((await client.get<Answer>('/'))?.name, 'second');
});

test('watches have connections of their own: many of them keep no request waiting', async (t) => {
  const { url } = await server(t);
  const client = clientOf(t, { server: url, ca });
  const over = new AbortController();
  const { promise: allOpen, resolve } = Promise.withResolvers<void>();
  let left = 20;
  const opened = (): void => {
    left -= 1;
    if (left === 0) resolve();
  };
  const watches = Array.from({ length: left }, () =>
    client.watch('/watch', { signal: over.signal, event: () => {}, opened }).catch(() => {}),
  );
  await allOpen;
  const { host } = (await client.get<Answer>('/', AbortSignal.timeout(5_000))) ?? {};
  assert.equal(host, new URL(url).host);
  over.abort();
  await Promise.all(watches);
});

test('connections are opened by whoever was given for it, and what it meets is told as it is', async (t) => {
  const { url, port } = await server(t);
  const dial = async (signal: AbortSignal): Promise<TLSSocket> => {
    const socket = connect({ port, host: '127.0.0.1', ca });
    await once(socket, 'secureConnect', { signal });
    return socket;
  };
  const client = clientOf(t, { server: 'https://elsewhere.example.com:6443', dial, token: 'text' });
  const answer = await client.get<Answer>('/');
  assert.deepEqual([answer?.host, answer?.authorization], ['elsewhere.example.com:6443', 'Bearer text']);
  const met = new CausewayError('CW-PROXY', 'the proxy says no', 'ask the proxy team');
  const refused = clientOf(t, { server: url, dial: () => Promise.reject(met) });
  await assert.rejects(refused.get('/'), met);
  await assert.rejects(refused.watch('/', { event: () => {}, signal: AbortSignal.timeout(1000) }), met);
});
