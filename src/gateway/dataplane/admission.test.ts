import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type Backend, greetingBackend, plainBackend } from '../../../test/support/gateway/backends.ts';
import { clientHello } from '../../../test/support/gateway/client-hello.ts';
import { greeting, type Place, tcp, tls } from '../../../test/support/gateway/clients.ts';
import { proxyV1, proxyV2, readProxyV2 } from '../../../test/support/gateway/proxy-headers.ts';
import { createUndoList } from '../../../test/support/gateway/undo.ts';
import { until } from '../../../test/support/gateway/until.ts';
import type { RefusalCode } from '../refusals.ts';
import type { SnapshotCluster } from '../snapshot/index.ts';
import { cluster, createFixture, type DataplaneFixture, nameOf, testCertificate } from './testing/dataplane-fixture.ts';

const shared = createUndoList();
let backend: Backend;
let plain: Backend;
before(async () => {
  backend = await greetingBackend('blue', testCertificate(shared));
  plain = await plainBackend('plain');
  shared.after(() => Promise.all([backend.stop(), plain.stop()]));
});
after(() => shared.run());

const balancersHere = { trustedBalancers: ['127.0.0.0/8', '::1/128'] };
const accessDenied = [0x15, 3, 3, 0, 2, 2, 49];

async function listenerOf(
  t: TestContext,
  rules: Partial<SnapshotCluster>,
  settings = {},
): Promise<[DataplaneFixture, Place]> {
  const fixture = createFixture(t);
  fixture.apply({ blue: cluster('blue', [backend.target], rules) }, settings);
  return [fixture, await fixture.listener('sni')];
}
const refusalsOf = (fixture: DataplaneFixture): Partial<Record<RefusalCode, number>> =>
  fixture.dataplane.counters().clusters.blue?.apiServer.refusals ?? {};

/** The first bytes that a client gets which comes through a balancer with this header. */
async function answerThroughBalancer(listener: Place, header: Buffer): Promise<number[]> {
  const client = await tcp(listener);
  client.send(Buffer.concat([header, await clientHello(nameOf('blue'))]));
  const answer = [...(await client.exactly(7))];
  client.close();
  return answer;
}

describe('allowed source ranges', () => {
  it('let clients in that are in them, and no others', async (t) => {
    const [fixture, listener] = await listenerOf(t, { allowedSourceRanges: ['127.0.0.0/8'] });
    assert.equal(await greeting(listener, nameOf('blue')), `blue ${nameOf('blue')}`);
    fixture.apply({ blue: cluster('blue', [backend.target], { allowedSourceRanges: ['192.0.2.0/24'] }) });
    const before = backend.connections();
    await assert.rejects(tls(listener, { servername: nameOf('blue') }), /access denied/i);
    assert.deepEqual(refusalsOf(fixture), { 'source-not-allowed': 1 });
    assert.equal(backend.connections(), before, 'no backend was touched');
  });

  it('are compared with the client that a trusted balancer names, in both versions', async (t) => {
    const [fixture, listener] = await listenerOf(t, { allowedSourceRanges: ['192.0.2.0/24'] }, balancersHere);
    for (const header of [proxyV1, proxyV2]) {
      assert.equal((await answerThroughBalancer(listener, header('192.0.2.7', 5000)))[0], 0x16);
      assert.deepEqual(await answerThroughBalancer(listener, header('198.51.100.7', 5000)), accessDenied);
    }
    assert.deepEqual(refusalsOf(fixture), { 'source-not-allowed': 2 });
    assert.equal(fixture.logged[0]?.client, '198.51.100.7');
  });

  it('hold an IPv4 client whose balancer writes it as IPv6', async (t) => {
    const [, listener] = await listenerOf(t, { allowedSourceRanges: ['192.0.2.0/24'] }, balancersHere);
    const header = Buffer.from('PROXY TCP6 ::ffff:192.0.2.7 ::1 5000 443\r\n');
    assert.equal((await answerThroughBalancer(listener, header))[0], 0x16);
  });

  it('do not believe a header from somebody who is no trusted balancer', async (t) => {
    const [fixture, listener] = await listenerOf(t, { allowedSourceRanges: ['192.0.2.0/24'] });
    const client = await tcp(listener);
    client.send(Buffer.concat([proxyV1('192.0.2.7', 5000), await clientHello(nameOf('blue'))]));
    assert.equal((await client.rest()).length, 0);
    assert.deepEqual(fixture.dataplane.counters().refusals, { sni: { 'not-tls': 1 } });
    client.close();
  });

  it('are out of reach for a trusted balancer that sends no header', async (t) => {
    const [fixture, listener] = await listenerOf(t, {}, balancersHere);
    const client = await tcp(listener);
    client.send(await clientHello(nameOf('blue')));
    assert.equal((await client.rest()).length, 0);
    assert.deepEqual(fixture.dataplane.counters().refusals, { sni: { 'bad-proxy-header': 1 } });
    client.close();
  });
});

describe('limits of a cluster', () => {
  it('refuse the connection that is one too many, and take the next when one has ended', async (t) => {
    const [fixture, listener] = await listenerOf(t, { maxConnections: 2 });
    const first = await tls(listener, { servername: nameOf('blue') });
    const second = await tls(listener, { servername: nameOf('blue') });
    await assert.rejects(tls(listener, { servername: nameOf('blue') }), /access denied/i);
    assert.deepEqual(refusalsOf(fixture), { 'too-many-connections': 1 });
    first.close();
    await until(() => fixture.dataplane.counters().open === 1);
    assert.equal(await greeting(listener, nameOf('blue')), `blue ${nameOf('blue')}`);
    second.close();
  });

  it('count what other workers have open', async (t) => {
    const [fixture, listener] = await listenerOf(t, { maxConnections: 2 });
    fixture.dataplane.limitsOthers({ blue: [2, 2], unheard: [1, 1] });
    await assert.rejects(tls(listener, { servername: nameOf('blue') }), /access denied/i);
    fixture.dataplane.limitsOthers({ blue: [1, 0] });
    const client = await tls(listener, { servername: nameOf('blue') });
    assert.deepEqual(fixture.dataplane.limitsReport(), { blue: [1, 1] });
    client.close();
  });

  it('refuse what comes too fast', async (t) => {
    const [fixture, listener] = await listenerOf(t, { connectionsPerSecond: 1 });
    await greeting(listener, nameOf('blue'));
    await assert.rejects(tls(listener, { servername: nameOf('blue') }), /access denied/i);
    assert.deepEqual(refusalsOf(fixture), { 'too-fast': 1 });
  });
});

describe('a backend that wants PROXY protocol', () => {
  const rules = { backendProxyProtocol: true };

  it('is told who the client is, and gets its bytes right behind', async (t) => {
    const fixture = createFixture(t);
    fixture.apply({ blue: cluster('blue', [plain.target], rules) }, balancersHere);
    const client = await tcp(await fixture.listener('sni'));
    const hello = await clientHello(nameOf('blue'));
    client.send(Buffer.concat([proxyV2('192.0.2.7', 5000), hello]));
    assert.equal(await client.line(), 'plain -');
    assert.deepEqual(await readProxyV2(client), { client: '192.0.2.7', port: 5000 });
    assert.deepEqual(await client.exactly(hello.length), hello);
    client.close();
  });

  it('is told at once, before the client says anything, where no name is needed', async (t) => {
    const fixture = createFixture(t);
    const blue = cluster('blue', [plain.target], rules);
    fixture.apply({ blue: { ...blue, apiServer: { nodePort: 30_001, backends: [plain.target] } } });
    const client = await tcp(await fixture.listener('nodePort', 30_001));
    assert.equal(await client.line(), 'plain -');
    assert.equal((await readProxyV2(client)).client, '127.0.0.1');
    client.close();
  });
});
