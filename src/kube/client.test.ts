import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { createAuthority, issueServer, validFor } from '../pki/index.ts';
import { createKubeClient, type KubeClient } from './client.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}
type Answer = readonly [status: number, body: unknown];

const year = validFor(new Date(), 365);
const authority = await createAuthority('Test', year);
const issued = await issueServer(authority, ['localhost', '127.0.0.1', 'web.example.com'], year);
const undo: (() => unknown)[] = [];
after(() => undo.forEach((one) => void one()));

/** An API server that says what the test wants, and remembers what it was asked. */
async function serverThat(answer: (asked: Asked) => Answer): Promise<{ url: string; asked: Asked[]; server: Server }> {
  const asked: Asked[] = [];
  const server = createServer({ cert: issued.certificate, key: issued.key }, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    const [status, content] = answer(one);
    response.writeHead(status).end(typeof content === 'string' ? content : JSON.stringify(content));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

function clientOf(url: string, more: { token?: string; serverName?: string; ca?: string } = {}): KubeClient {
  const client = createKubeClient({ server: url, ca: authority.certificate, ...more });
  undo.push(client.close);
  return client;
}

const status = (message: string): object => ({ kind: 'Status', message });

describe('a client of an API server', () => {
  it('says nothing where there is nothing, and never for another reason', async () => {
    const { url } = await serverThat(({ url: path }) =>
      path === '/none' ? [404, status('not found')] : [500, 'broken'],
    );
    assert.equal(await clientOf(url).get('/none'), undefined);
    assert.equal(await clientOf(url).remove('/none'), false);
    await assert.rejects(clientOf(url).get('/other'), { code: 'CW-KUBE-SERVER', message: 'GET /other: 500, broken' });
  });

  it('lists page after page', async () => {
    const { url, asked } = await serverThat(({ url: path }) => [
      200,
      path.includes('continue=a%2Fb') ? { metadata: {}, items: [3] } : { metadata: { continue: 'a/b' }, items: [1, 2] },
    ]);
    assert.deepEqual(await clientOf(url).list('/api/v1/pods?labelSelector=a'), [1, 2, 3]);
    assert.deepEqual(
      asked.map(({ url: path }) => path),
      ['/api/v1/pods?labelSelector=a&limit=500', '/api/v1/pods?labelSelector=a&limit=500&continue=a%2Fb'],
    );
  });

  it('applies server-side, where the API itself says that the object belongs', async () => {
    const resources = [
      { name: 'pods/status', kind: 'ConfigMap', namespaced: true },
      { name: 'configmaps', kind: 'ConfigMap', namespaced: true },
      { name: 'nodes', kind: 'Node', namespaced: false },
    ];
    const { url, asked } = await serverThat(({ url: path }) => [200, path === '/api/v1' ? { resources } : {}]);
    const client = clientOf(url);
    await client.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' }, data: {} });
    await client.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    const manager = 'fieldManager=causeway&force=true';
    assert.deepEqual(
      asked.map(({ method, url: path }) => `${method} ${path}`),
      ['GET /api/v1', `PATCH /api/v1/namespaces/shop/configmaps/a?${manager}`, `PATCH /api/v1/nodes/n?${manager}`],
    );
    assert.equal(asked[1]?.headers['content-type'], 'application/apply-patch+yaml');
    await assert.rejects(client.apply({ apiVersion: 'v1', kind: 'Unicorn', metadata: { name: 'u' } }), {
      message: 'v1 has no Unicorn',
    });
  });

  it('applies as it is asked to: by another manager, without force, strictly, as a dry run, to a subresource', async () => {
    const resources = [{ name: 'nodes', kind: 'Node', namespaced: false }];
    const { url, asked } = await serverThat(({ url: path }) => [200, path === '/api/v1' ? { resources } : {}]);
    const options = { fieldManager: 'a/b', force: false, strict: true, dryRun: true, subresource: 'status' } as const;
    await clientOf(url).apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, options);
    const query = 'fieldManager=a%2Fb&force=false&dryRun=All&fieldValidation=Strict';
    assert.equal(asked[1]?.url, `/api/v1/nodes/n/status?${query}`);
  });

  it('asks again for the resources of a group that was not there', async () => {
    let there = false;
    const resources = [{ name: 'things', kind: 'Thing', namespaced: false }];
    const { url } = await serverThat(() => (there ? [200, { resources }] : [404, status('not found')]));
    const thing = { apiVersion: 'x.example.com/v1', kind: 'Thing', metadata: { name: 't' } };
    const client = clientOf(url);
    await assert.rejects(client.apply(thing), { status: 404 });
    there = true;
    assert.equal(await client.pathOf(thing), '/apis/x.example.com/v1/things/t');
  });

  it('shows its token, and never puts it into words', async () => {
    const { url, asked } = await serverThat(() => [403, status('no way')]);
    const error = await clientOf(url, { token: 'very-secret' })
      .get('/x')
      .catch((caught: Error) => caught);
    assert.equal(asked[0]?.headers.authorization, 'Bearer very-secret');
    assert.ok(error instanceof Error && 'fix' in error);
    assert.doesNotMatch(`${error.message}${error.fix}${error.stack}`, /very-secret/);
    assert.match(error.message, /GET \/x: 403, no way/);
  });

  for (const [code, name] of [
    [401, 'CW-KUBE-UNAUTHORIZED'],
    [409, 'CW-KUBE-CONFLICT'],
    [422, 'CW-KUBE-INVALID'],
    [429, 'CW-KUBE-REFUSED'],
  ] as const)
    it(`calls ${code} ${name}`, async () => {
      const { url } = await serverThat(() => [code, status('because')]);
      await assert.rejects(clientOf(url).post('/x', {}), { code: name, message: /because/, status: code });
    });

  it('tells a server that is gone from one that is somebody else', async () => {
    const { url, server } = await serverThat(() => [200, {}]);
    const other = await createAuthority('Other', year);
    await assert.rejects(clientOf(url, { ca: other.certificate }).get('/'), { code: 'CW-KUBE-CERTIFICATE' });
    await assert.rejects(clientOf(url, { serverName: 'evil.example.com' }).get('/'), { code: 'CW-KUBE-CERTIFICATE' });
    assert.deepEqual(await clientOf(url, { serverName: 'web.example.com' }).get('/'), {});
    server.close();
    server.closeAllConnections();
    await assert.rejects(clientOf(url).get('/'), { code: 'CW-KUBE-UNREACHABLE', fix: /causeway status/ });
  });
});
