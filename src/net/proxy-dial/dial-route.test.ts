import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listening, miniProxy } from '../../../test/support/agent/mini-proxy.ts';
import { testVantage } from '../../../test/support/vantage.ts';
import { parseProxyUrl } from '../proxy-url.ts';
import { thisMachine } from '../wire/dial.ts';
import { dialRoute } from './dial-route.ts';
import type { Route } from './route.ts';
import {
  certificate,
  failure,
  name,
  ours,
  proxyAt,
  secret,
  textOf,
  theirs,
  tlsTo,
  trusting,
  tunnelServer,
  walked,
} from './testing/route-stand.ts';

test('goes directly, with TLS, and tells each step', async (t) => {
  const port = await tunnelServer(t, certificate);
  const { dialled, steps } = await walked({ gateway: { host: '127.0.0.1', port }, tls: tlsTo() });
  assert.equal(await textOf(dialled.wire), 'hello');
  assert.equal(dialled.alpn, 'causeway/1');
  assert.deepEqual(
    steps.map(({ step }) => step),
    ['resolve-gateway', 'connect-gateway', 'tls-gateway'],
  );
  assert.match(
    steps[2]?.detail ?? '',
    /^TLSv1\.3 causeway\/1: CN=tunnel\.west\.example; issued by CN=Gateway CA; until/,
  );
});

test('goes directly without TLS', async (t) => {
  const port = await listening(
    t,
    createServer((socket) => void socket.end('plain')),
  );
  const { dialled } = await walked({ gateway: { host: '127.0.0.1', port } });
  assert.equal(await textOf(dialled.wire), 'plain');
  assert.equal(dialled.alpn, undefined);
});

test('tries the next address of a name', async (t) => {
  const port = await tunnelServer(t, certificate);
  const resolve = async (): Promise<string[]> => ['127.0.0.2', '127.0.0.1'];
  const { dialled } = await walked({
    gateway: { host: 'west.example', port },
    tls: tlsTo(),
    vantage: { ...thisMachine, resolve },
  });
  assert.equal(await textOf(dialled.wire), 'hello');
});

test('takes up a TLS session again', async (t) => {
  const port = await tunnelServer(t, certificate);
  const context = trusting(ours);
  const route: Route = {
    gateway: { host: '127.0.0.1', port },
    tls: { ...tlsTo(), trusting: () => context } as Route['tls'],
  };
  await textOf((await dialRoute(route)).wire);
  const again = await dialRoute(route);
  assert.equal(again.resumed, true);
  assert.equal(await textOf(again.wire), 'hello');
});

for (const scheme of ['http', 'https'] as const) {
  test(`goes through an ${scheme} proxy with percent-decoded credentials`, async (t) => {
    const port = await tunnelServer(t, certificate);
    const own = theirs.issue({ commonName: 'proxy', ips: ['127.0.0.1'] });
    const proxy = await miniProxy(t, () => ({ to: port }), scheme === 'https' ? own : undefined);
    const { dialled, steps } = await walked({
      gateway: { host: name, port: 443 },
      tls: tlsTo(),
      proxy: proxyAt(proxy.port, 'jo%40corp:S3cret%3Aword@', scheme),
      proxyTrusting: () => trusting(theirs),
    });
    assert.equal(await textOf(dialled.wire), 'hello');
    assert.equal(proxy.asked[0]?.authority, `${name}:443`);
    assert.equal(proxy.asked[0]?.credentials, `jo@corp:${secret}`);
    assert.equal(steps.find(({ step }) => step === 'ask-proxy')?.detail, 'HTTP/1.1 200 Connection established');
    assert.equal(steps.length, scheme === 'https' ? 5 : 4);
  });
}

test('goes through a proxy without TLS', async (t) => {
  const port = await listening(
    t,
    createServer((socket) => void socket.end('plain')),
  );
  const proxy = await miniProxy(t, () => ({ to: port }));
  const { dialled } = await walked({ gateway: { host: name, port: 8088 }, proxy: proxyAt(proxy.port) });
  assert.equal(await textOf(dialled.wire), 'plain');
});

test('looks up and dials from the vantage it is given, gateway and proxy alike', async (t) => {
  const port = await tunnelServer(t, certificate);
  const proxy = await miniProxy(t, () => ({ to: port }));
  const vantage = testVantage(
    { [name]: '192.0.2.7', 'proxy.example': '192.0.2.8' },
    { '192.0.2.7:443': port, '192.0.2.8:3128': proxy.port },
  );
  const route: Route = { gateway: { host: name, port: 443 }, tls: tlsTo(), vantage };
  assert.equal(await textOf((await dialRoute(route)).wire), 'hello');
  assert.deepEqual(vantage.asked.splice(0), [`resolve ${name}`, 'dial 192.0.2.7:443']);
  const through = { ...route, proxy: () => parseProxyUrl('http://proxy.example:3128') };
  assert.equal(await textOf((await dialRoute(through)).wire), 'hello');
  assert.deepEqual(vantage.asked.splice(0), ['resolve proxy.example', 'dial 192.0.2.8:3128']);
  const refused = await failure({ gateway: { host: '192.0.2.7', port: 8443 }, vantage });
  assert.deepEqual([refused.step, refused.code], ['connect-gateway', 'CW-DIAL-REFUSED']);
});

test('can be called off at any step, and leaves nothing open', async (t) => {
  let closed = 0;
  const server = createServer(
    (socket) =>
      void socket
        .on('error', () => {})
        .on('close', () => closed++)
        .resume(),
  );
  const port = await listening(t, server);
  const off = new AbortController();
  const waiting = dialRoute({ gateway: { host: '127.0.0.1', port }, tls: tlsTo() }, { signal: off.signal });
  setTimeout(() => off.abort(), 100);
  await assert.rejects(waiting, /called off/);
  while (closed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
});
