// The tunnel in its gateway: what operators see of connections that are refused.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listen } from '../../../net/wire/index.ts';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import type { Log, LogFields } from '../../../sys/log.ts';
import { diffSnapshots, type Snapshot } from '../../snapshot/index.ts';
import { createDataplane, type Dataplane } from '../dataplane.ts';
import { silentSocket, soon } from './testing/peers.ts';
import { createTunnelServer } from './tunnel-server.ts';

const limit = { timeout: 20_000 };
const halfAHello = Buffer.from([0x16, 3, 1, 0, 200, 1, 0]);

const snapshot: Snapshot = {
  version: '1',
  seed: 'west',
  listeners: { tunnel: 0, nodePortRange: '30000-32767' },
  tunnel: { name: 'tunnel.example', authentication: 'token' },
  trustedBalancers: [],
  clusters: {},
};

async function gatewayWith(t: TestContext, log: Log): Promise<{ dataplane: Dataplane; port: number }> {
  const certificate = selfSigned('tunnel.example');
  const dataplane = createDataplane({ log, tunnel: (host) => createTunnelServer(host, { certificate }) });
  dataplane.apply(diffSnapshots(undefined, snapshot));
  const listener = { kind: 'tunnel', address: '127.0.0.1', port: 0 } as const;
  const listening = await listen('127.0.0.1', 0, (wire) => dataplane.accept(listener, wire));
  t.after(() => {
    listening.close();
    dataplane.close();
  });
  return { dataplane, port: listening.local.port };
}

test(
  'connections without first bytes and handshakes at the tunnel count as half open, and a handshake that fails is told in detail',
  limit,
  async (t) => {
    const lines: (LogFields | undefined)[] = [];
    const note = (_message: string, fields?: LogFields): void => void lines.push(fields);
    const { dataplane, port } = await gatewayWith(t, { info: note, warn: note, error: note });
    await silentSocket(t, port, Buffer.alloc(0));
    const other = await silentSocket(t, port, halfAHello);
    while (dataplane.counters().halfOpen < 2) await soon();
    await soon(50);
    assert.equal(dataplane.counters().halfOpen, 2);
    other.destroy();
    while (dataplane.counters().halfOpen > 1) await soon();
    assert.deepEqual(dataplane.counters().refusals, { tunnel: { 'handshake-failed': 1 } });
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.refusal, 'handshake-failed');
    assert.equal(lines[0]?.detail, 'closed: the agent hung up in the middle');
  },
);
