import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Backend, greetingBackend } from '../../../test/support/gateway/backends.ts';
import { clientHello, inRecordsOf } from '../../../test/support/gateway/client-hello.ts';
import { greeting, type Place, tcp, tls } from '../../../test/support/gateway/clients.ts';
import { createUndoList } from '../../../test/support/gateway/undo.ts';
import { until } from '../../../test/support/gateway/until.ts';
import { cluster, createFixture, type DataplaneFixture, nameOf, testCertificate } from './testing/dataplane-fixture.ts';

describe('the SNI listener', () => {
  const shared = createUndoList();
  let fixture: DataplaneFixture;
  let listener: Place;
  let blue: Backend;
  let green: Backend;

  before(async () => {
    const certificate = testCertificate(shared);
    [blue, green] = await Promise.all([greetingBackend('blue', certificate), greetingBackend('green', certificate)]);
    shared.after(() => Promise.all([blue.stop(), green.stop()]));
    fixture = createFixture(shared);
    fixture.apply({ blue: cluster('blue', [blue.target]), green: cluster('green', [green.target]) });
    listener = await fixture.listener('sni');
  });
  after(() => shared.run());

  it('brings each name to its own cluster', async () => {
    assert.equal(await greeting(listener, nameOf('blue')), `blue ${nameOf('blue')}`);
    assert.equal(await greeting(listener, nameOf('green')), `green ${nameOf('green')}`);
    assert.equal(await greeting(listener, nameOf('konnectivity.blue')), `blue ${nameOf('konnectivity.blue')}`);
  });

  it('carries bytes both ways, and counts them', async () => {
    const client = await tls(listener, { servername: nameOf('green') });
    await client.line();
    assert.equal(await client.echo('x'.repeat(100_000)), 'x'.repeat(100_000));
    const { apiServer } = fixture.dataplane.counters().clusters.green ?? assert.fail();
    assert.equal(apiServer.open, 1);
    assert.ok(apiServer.sent > 100_000 && apiServer.received > 100_000);
    const [view] = fixture.dataplane.connections({ cluster: 'green' });
    assert.equal(view?.backend, green.target);
    assert.equal(view?.name, nameOf('green'));
    client.close();
    await until(() => fixture.dataplane.counters().clusters.green?.apiServer.open === 0);
    const ended = fixture.dataplane.counters().clusters.green?.apiServer;
    assert.ok((ended?.sent ?? 0) >= apiServer.sent, 'bytes of ended connections stay counted');
  });

  it('reads a ClientHello that comes byte by byte', async () => {
    const hello = await clientHello(nameOf('blue'));
    const client = await tcp(listener);
    for (const byte of hello) {
      client.send(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    assert.equal((await client.exactly(1))[0], 0x16, 'the backend answers with a handshake');
    client.close();
  });

  it('reads a ClientHello in records of three bytes', async () => {
    const client = await tcp(listener);
    client.send(inRecordsOf(3, await clientHello(nameOf('blue'))));
    assert.equal((await client.exactly(1))[0], 0x16);
    client.close();
  });

  it('lets a client end its half while the other half goes on', async () => {
    const client = await tls(listener, { servername: nameOf('blue') });
    await client.line();
    client.finish(Buffer.from('last words'));
    assert.equal((await client.rest()).toString(), 'last words');
    client.close();
  });

  it('gives a dial up when the client goes away', async (t) => {
    // Names that are never resolved: the dial does not come to an end by itself.
    const silent = createFixture(t, { resolve: () => new Promise(() => {}) });
    silent.apply({ blue: cluster('blue', ['blue.backend.test:6443']) });
    const client = await tcp(await silent.listener('sni'));
    client.send(await clientHello(nameOf('blue')));
    await until(() => silent.dataplane.connections()[0]?.state === 'dialing');
    client.close();
    await until(() => silent.dataplane.counters().open === 0);
    assert.deepEqual(silent.logged, []);
  });
});
