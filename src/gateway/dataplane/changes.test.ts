import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Backend, digestingBackend, greetingBackend } from '../../../test/support/gateway/backends.ts';
import { clientHello } from '../../../test/support/gateway/client-hello.ts';
import { greeting, tcp, tls } from '../../../test/support/gateway/clients.ts';
import { freePort } from '../../../test/support/gateway/ports.ts';
import { createUndoList } from '../../../test/support/gateway/undo.ts';
import { until } from '../../../test/support/gateway/until.ts';
import { testVantage } from '../../../test/support/vantage.ts';
import { cluster, createFixture, nameOf, testCertificate } from './testing/dataplane-fixture.ts';

const shared = createUndoList();
let blue: Backend;
let green: Backend;
before(async () => {
  const certificate = testCertificate(shared);
  [blue, green] = await Promise.all([greetingBackend('blue', certificate), greetingBackend('green', certificate)]);
  shared.after(() => Promise.all([blue.stop(), green.stop()]));
});
after(() => shared.run());

const both = (): Parameters<ReturnType<typeof createFixture>['apply']>[0] => ({
  blue: cluster('blue', [blue.target]),
  green: cluster('green', [green.target]),
});

describe('a change of the snapshot', () => {
  it('ends connections of a removed cluster after the grace time, and leaves all others alone', async (t) => {
    const fixture = createFixture(t, { removalGraceMs: 200 });
    fixture.apply(both());
    const listener = await fixture.listener('sni');
    const [goes, stays] = [
      await tls(listener, { servername: nameOf('blue') }),
      await tls(listener, { servername: nameOf('green') }),
    ];
    await Promise.all([goes.line(), stays.line()]);
    fixture.apply({ green: cluster('green', [green.target]) });
    assert.equal(await goes.echo('still here'), 'still here');
    await assert.rejects(tls(listener, { servername: nameOf('blue') }), /unrecognized name/i);
    await goes.ended;
    assert.equal(await stays.echo('untouched'), 'untouched');
    assert.deepEqual(Object.keys(fixture.dataplane.counters().clusters), ['green'], 'the removed one is forgotten');
    stays.close();
  });

  it('ends connections whose name has gone, but not if it comes back in time', async (t) => {
    const fixture = createFixture(t, { removalGraceMs: 300 });
    fixture.apply(both());
    const listener = await fixture.listener('sni');
    const [api, other] = [
      await tls(listener, { servername: nameOf('blue') }),
      await tls(listener, { servername: nameOf('konnectivity.blue') }),
    ];
    await Promise.all([api.line(), other.line()]);
    const renamed = { ...cluster('blue', [blue.target]), apiServer: { sni: 'new.test', backends: [blue.target] } };
    fixture.apply({ blue: renamed });
    fixture.apply({ blue: cluster('blue', [blue.target]) });
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await api.echo('back in time'), 'back in time');
    fixture.apply({ blue: renamed });
    await api.ended;
    assert.equal(await other.echo('its name stays'), 'its name stays');
    other.close();
  });

  it('keeps counters and connections when backends and limits change', async (t) => {
    const fixture = createFixture(t);
    fixture.apply({ blue: cluster('blue', [blue.target]) });
    const listener = await fixture.listener('sni');
    const old = await tls(listener, { servername: nameOf('blue') });
    await old.line();
    fixture.apply({ blue: cluster('blue', [green.target], { maxConnections: 5 }) });
    assert.equal(await greeting(listener, nameOf('blue')), `green ${nameOf('blue')}`);
    assert.equal(await old.echo('old backend'), 'old backend');
    assert.equal(fixture.dataplane.counters().clusters.blue?.apiServer.connections, 2);
    old.close();
  });
});

describe('several endpoints', () => {
  it('are tried until one answers, and no byte is lost', async (t) => {
    const fixture = createFixture(t);
    const dead = `127.0.0.1:${await freePort()}`;
    fixture.apply({ blue: cluster('blue', [dead, blue.target]) });
    const listener = await fixture.listener('sni');
    for (let i = 0; i < 4; i++) assert.equal(await greeting(listener, nameOf('blue')), `blue ${nameOf('blue')}`);
    assert.deepEqual(fixture.dataplane.counters().clusters.blue?.apiServer.refusals, {});
  });

  it('come by name too', async (t) => {
    const fixture = createFixture(t, { resolve: async () => ['127.0.0.1'] });
    fixture.apply({ blue: cluster('blue', [`api.blue.test:${blue.port}`]) });
    assert.equal(await greeting(await fixture.listener('sni'), nameOf('blue')), `blue ${nameOf('blue')}`);
  });

  it('are looked up and dialled from the vantage it is given', async (t) => {
    const vantage = testVantage({ 'api.blue.test': '192.0.2.7' }, { '192.0.2.7:6443': blue.port });
    const fixture = createFixture(t, vantage);
    fixture.apply({ blue: cluster('blue', ['192.0.2.6:6443', 'api.blue.test:6443']) });
    const listener = await fixture.listener('sni');
    for (let i = 0; i < 2; i++) assert.equal(await greeting(listener, nameOf('blue')), `blue ${nameOf('blue')}`);
    assert.deepEqual(
      new Set(vantage.asked),
      new Set(['resolve api.blue.test', 'dial 192.0.2.6:6443', 'dial 192.0.2.7:6443']),
    );
  });

  it('that nobody can reach in time are given up', async (t) => {
    const fixture = createFixture(t, { resolve: () => new Promise(() => {}), longestDialMs: 100 });
    fixture.apply({ blue: cluster('blue', ['never.test:1']) });
    await assert.rejects(tls(await fixture.listener('sni'), { servername: nameOf('blue') }), /internal error/i);
  });
});

describe('a connection', () => {
  it('ends when it was idle for too long, and not while bytes come', async (t) => {
    const fixture = createFixture(t);
    fixture.apply({ blue: cluster('blue', [blue.target], { idleTimeout: '300ms' }) });
    const listener = await fixture.listener('sni');
    const [idle, busy] = [
      await tls(listener, { servername: nameOf('blue') }),
      await tls(listener, { servername: nameOf('blue') }),
    ];
    const chatter = setInterval(() => busy.send('x'), 50);
    t.after(() => clearInterval(chatter));
    await idle.ended;
    assert.equal(busy.isOver, false);
    busy.close();
  });

  for (const [way, closing] of [
    ['the client', 'client'],
    ['the backend', 'backend'],
  ] as const)
    it(`that ${way} has ended is ended when nothing comes from the other side, and not while bytes come`, async (t) => {
      const open: Socket[] = [];
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        open.push(socket.on('error', () => {}));
        socket.resume().write('hello');
        if (closing === 'backend') socket.end();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      t.after(() => {
        server.close();
        for (const socket of open) socket.destroy();
      });
      const backends = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
      const fixture = createFixture(t);
      const apiServer = { addresses: ['127.0.0.1'], port: 443, backends };
      fixture.apply({ blue: { ...cluster('blue', backends), apiServer, halfClosedTimeout: '300ms' } });
      const place = await fixture.listener('address', 443);
      const silent = await tcp(place);
      await silent.exactly(5);
      const busy = await tcp(place);
      await busy.exactly(5);
      if (closing === 'client') for (const one of [silent, busy]) one.finish(Buffer.alloc(0));
      const sender = closing === 'client' ? open[1] : undefined;
      const chatter = setInterval(() => (sender === undefined ? busy.send('x') : sender.write('x')), 50);
      t.after(() => clearInterval(chatter));
      const ids = (): number[] => fixture.dataplane.connections().map(({ id }) => id);
      await until(() => ids().length === 1);
      assert.deepEqual(ids(), [2]);
      busy.close();
      silent.close();
    });

  it('passes on everything of a client that sends all it has and ends at once', async (t) => {
    const digesting = await digestingBackend('digest', 10);
    t.after(() => digesting.stop());
    const fixture = createFixture(t);
    const apiServer = { addresses: ['127.0.0.1'], port: 443, backends: [digesting.target] };
    fixture.apply({ blue: { ...cluster('blue', [digesting.target]), apiServer } });
    const client = await tcp(await fixture.listener('address', 443));
    client.finish(Buffer.alloc(200_000, 7));
    assert.equal((JSON.parse(await client.line()) as { bytes: number }).bytes, 200_000);
    assert.equal((await client.rest()).length, 10);
    await until(() => fixture.dataplane.counters().open === 0);
    client.close();
  });

  it('goes through a backend that reads slowly without losing the first bytes', async (t) => {
    const slow = createServer((socket) => {
      socket.on('error', () => socket.destroy()).pause();
      setTimeout(() => socket.pipe(socket), 100);
    });
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    t.after(() => slow.close());
    const { port } = slow.address() as { port: number };
    const fixture = createFixture(t);
    fixture.apply({ blue: cluster('blue', [`127.0.0.1:${port}`]) });
    const client = await tcp(await fixture.listener('sni'));
    const hello = Buffer.concat([await clientHello(nameOf('blue')), Buffer.alloc(60_000, 3)]);
    client.send(hello);
    assert.deepEqual(await client.exactly(hello.length), hello);
    client.close();
  });
});

describe('a drain', () => {
  it('waits for connections, turns new ones away, and ends the rest at its deadline', async (t) => {
    const fixture = createFixture(t);
    fixture.apply(both());
    const listener = await fixture.listener('sni');
    const client = await tls(listener, { servername: nameOf('blue') });
    await client.line();
    let drained = false;
    const drain = fixture.dataplane.drain(700).then(() => {
      drained = true;
    });
    await assert.rejects(tls(listener, { servername: nameOf('green') }), /internal error/i);
    assert.equal(await client.echo('still served'), 'still served');
    assert.equal(drained, false);
    await drain;
    await client.ended;
    await until(() => fixture.dataplane.counters().open === 0);
  });

  it('is over at once when nothing is open', async (t) => {
    const fixture = createFixture(t);
    fixture.apply(both());
    await fixture.dataplane.drain(3_600_000);
  });
});
