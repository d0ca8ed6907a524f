// How much one client may cost, and for how long, when it or its backend does not do its part.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import { largestHello } from '../../net/client-hello.ts';
import { cluster, createStage, type Stage } from './testing/dataplane-fixture.ts';
import { FakeWire } from './testing/fake-wire.ts';

const sni = { kind: 'sni', address: '127.0.0.1', port: 6443 } as const;
const nodePort = { kind: 'nodePort', address: '127.0.0.1', port: 30_000 } as const;
const kibibyte = Buffer.alloc(1024, 7);
const http = Buffer.from('GET / HTTP/1.1\r\n\r\n');

/** Its backend is never found, and time stands still unless it is moved. */
function stageWithoutBackend(t: TestContext) {
  const time = { now: 0 };
  const stage = createStage(t, { lookup: () => {}, clock: () => time.now, removalGraceMs: 80 });
  stage.apply({ blue: blue(30_000) });
  return { stage, time };
}
const blue = (port: number) =>
  cluster('blue', ['never.test:1'], { apiServer: { nodePort: port, backends: ['never.test:1'] } });

function arrive(stage: Stage, listener: typeof sni | typeof nodePort): FakeWire {
  const wire = new FakeWire();
  stage.gateway.accept(listener, wire);
  return wire;
}
function refused(stage: Stage): FakeWire {
  const wire = arrive(stage, sni);
  wire.arrives(http);
  return wire;
}

describe('a client', () => {
  it('is not read further while its backend is dialled than a hello may be long', (t) => {
    const { stage } = stageWithoutBackend(t);
    const client = arrive(stage, nodePort);
    let sent = 0;
    for (; !client.isPaused && sent < 1024 * kibibyte.length; sent += kibibyte.length) client.arrives(kibibyte);
    assert.equal(sent, largestHello);
    assert.equal(stage.gateway.counters().open, 1);
  });

  it('may send 64 KiB after it was refused, so that it comes to reading why', (t) => {
    const client = refused(stageWithoutBackend(t).stage);
    for (let i = 0; i < 64; i++) client.arrives(kibibyte);
    assert.equal(client.isOver, false);
    client.arrives(Buffer.alloc(1));
    assert.equal(client.isOver, true);
  });

  it('that was refused loses its place to newer ones when a thousand are reading why', (t) => {
    const { stage } = stageWithoutBackend(t);
    const clients = Array.from({ length: 1000 }, () => refused(stage));
    assert.ok(clients.every(({ isOver }) => !isOver));
    for (const place of [0, 1]) {
      refused(stage);
      assert.equal(
        clients.findLastIndex(({ isOver }) => isOver),
        place,
      );
    }
  });
});

describe('the grace of a connection whose route has gone', () => {
  it('is not prolonged by a later change', async (t) => {
    const { stage, time } = stageWithoutBackend(t);
    const open = (): number => stage.gateway.counters().open;
    arrive(stage, nodePort);
    stage.apply({ blue: blue(30_001) });
    time.now = 79;
    stage.apply({ blue: { ...blue(30_001), maxConnections: 5 } });
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(open(), 1);
    time.now = 80;
    await until(() => open() === 0);
  });
});
