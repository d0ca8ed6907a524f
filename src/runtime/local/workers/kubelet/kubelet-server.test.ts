import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { createAuthority, type Issued, issueClient, issueServer, validFor } from '../../../../pki/index.ts';
import { type KubeletServer, openKubeletServer } from './kubelet-server.ts';
import { PodLogs } from './pod-logs.ts';

const address = '127.0.0.1';
const validity = validFor(new Date(), 1);
const authority = await createAuthority('cluster', validity);
const apiServer = await issueClient(authority, { commonName: 'kube-apiserver-kubelet-client' }, validity);
const viewer = await issueClient(authority, { commonName: 'causeway:viewer' }, validity);

const directory = mkdtempSync(path.join(tmpdir(), 'cw-kubelet-'));
let server: KubeletServer;

before(async () => {
  const logs = new PodLogs(directory);
  const metadata = { name: 'web', namespace: 'default', uid: '1' };
  logs.keep([{ metadata, spec: { nodeName: 'shop-1', containers: [{ name: 'main' }] }, status: { phase: 'Running' } }]);
  const own = await issueServer(await createAuthority('kubelet', validity), [address], validity);
  server = await openKubeletServer({ address, port: 0, ca: authority.certificate, own, logs });
});
after(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

const ask = (url: string, client?: Issued, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const identity = client === undefined ? {} : { cert: client.certificate, key: client.key };
    const { port } = server;
    const options = { host: address, port, path: url, method, rejectUnauthorized: false, agent: false, ...identity };
    request(options, async (response) => resolve({ status: response.statusCode ?? 0, body: await text(response) }))
      .on('error', reject)
      .end();
  });

test('shows the log of a container to the API server', async () => {
  const { status, body } = await ask('/containerLogs/default/web/main?tailLines=1', apiServer);
  assert.equal(status, 200);
  assert.match(body, /^web is on shop-1/);
});

test('lets nobody else look: neither without a certificate nor with that of another user of the cluster', async () => {
  await assert.rejects(ask('/containerLogs/default/web/main'));
  assert.equal((await ask('/containerLogs/default/web/main', viewer)).status, 403);
});

test('serves with another certificate from when it is given one, and goes on', async () => {
  const own = await issueServer(authority, [address], validity);
  const shown = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const { certificate: cert, key } = apiServer;
      const socket = connect({ host: address, port: server.port, cert, key, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.serialNumber ?? '');
        socket.destroy();
      }).on('error', reject);
    });
  const { serialNumber } = new X509Certificate(own.certificate);
  assert.notEqual(await shown(), serialNumber);
  server.serveWith(own);
  assert.equal(await shown(), serialNumber);
  assert.equal((await ask('/containerLogs/default/web/main?tailLines=1', apiServer)).status, 200);
  assert.equal((await ask('/containerLogs/default/web/main', viewer)).status, 403);
});

test('says what is not there, and refuses what is no number', async () => {
  assert.equal((await ask('/containerLogs/default/other/main', apiServer)).status, 404);
  assert.equal((await ask('/containerLogs/default/web/..%2f..%2faddress', apiServer)).status, 404);
  assert.equal((await ask('/containerLogs/default/web/main?tailLines=many', apiServer)).status, 400);
});

test('runs nothing on this machine', async () => {
  for (const url of ['/exec/default/web/main?command=id', '/run/default/web/main', '/attach/default/web/main'])
    assert.equal((await ask(url, apiServer, 'POST')).status, 501, url);
});
