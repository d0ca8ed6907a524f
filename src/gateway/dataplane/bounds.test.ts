// How much one client may cost, and for how long, when it or its backend does not do its part.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import { largestHello } from '../../net/index.ts';
import { cluster, createFixture, type DataplaneFixture } from './testing/dataplane-fixture.ts';
import { FakeWire } from './testing/fake-wire.ts';

const sni = { kind: 'sni', address: '127.0.0.1', port: 6443 } as const;
const nodePort = { kind: 'nodePort', address: '127.0.0.1', port: 30_000 } as const;
const kibibyte = Buffer.alloc(1024, 7);
const http = Buffer.from('GET / HTTP/1.1\r\n\r\n');

/** Its backend is never found, and time stands still unless it is moved. */
function fixtureWithoutBackend(t: TestContext) {
  const time = { now: 0 };
  const fixture = createFixture(t, { resolve: () => new Promise(() => {}), clock: () => time.now, removalGraceMs: 80 });
  fixture.apply({ blue: blue(30_000) });
  return { fixture, time };
}
const blue = (port: number) =>
  cluster('blue', ['never.test:1'], { apiServer: { nodePort: port, backends: ['never.test:1'] } });

function accepted(fixture: DataplaneFixture, listener: typeof sni | typeof nodePort): FakeWire {
  const wire = new FakeWire();
  fixture.dataplane.accept(listener, wire);
  return wire;
}
function refused(fixture: DataplaneFixture): FakeWire {
  const wire = accepted(fixture, sni);
  wire.receive(http);
  return wire;
}

describe('a client', () => {
  it('is not read further while its backend is dialled than a hello may be long', (t) => {
    const { fixture } = fixtureWithoutBackend(t);
    const client = accepted(fixture, nodePort);
    let sent = 0;
    for (; !client.isPaused && sent < 1024 * kibibyte.length; sent += kibibyte.length) client.receive(kibibyte);
    assert.equal(sent, largestHello);
    assert.equal(fixture.dataplane.counters().open, 1);
  });

  it('may send 64 KiB after it was refused, so that it comes to reading why', (t) => {
    const client = refused(fixtureWithoutBackend(t).fixture);
    for (let i = 0; i < 64; i++) client.receive(kibibyte);
    assert.equal(client.isOver, false);
    client.receive(Buffer.alloc(1));
    assert.equal(client.isOver, true);
  });

  it('that was refused loses its place to newer ones when a thousand are reading why', (t) => {
    const { fixture } = fixtureWithoutBackend(t);
    const clients = Array.from({ length: 1000 }, () => refused(fixture));
    assert.ok(clients.every(({ isOver }) => !isOver));
    for (const place of [0, 1]) {
      refused(fixture);
      assert.equal(
        clients.findLastIndex(({ isOver }) => isOver),
        place,
      );
    }
  });
});

describe('the grace of a connection whose route has gone', () => {
  it('is not prolonged by a later change', async (t) => {
    const { fixture, time } = fixtureWithoutBackend(t);
    const open = (): number => fixture.dataplane.counters().open;
    accepted(fixture, nodePort);
    fixture.apply({ blue: blue(30_001) });
    time.now = 79;
    fixture.apply({ blue: { ...blue(30_001), maxConnections: 5 } });
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(open(), 1);
    time.now = 80;
    await until(() => open() === 0);
  });
});
