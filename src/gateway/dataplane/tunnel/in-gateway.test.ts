// The door in its gateway: what operators see of those who come no further.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Log, LogFields } from '../../../net/log.ts';
import { listen } from '../../../net/wire/listen.ts';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import { diffSnapshots, type Snapshot } from '../../snapshot/index.ts';
import { createGateway, type Gateway } from '../dataplane.ts';
import { silentSocket, soon } from './testing/peers.ts';
import { createTunnelDoor } from './tunnel-server.ts';

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

async function gatewayWith(t: TestContext, log: Log): Promise<{ gateway: Gateway; port: number }> {
  const certificate = selfSigned('tunnel.example');
  const gateway = createGateway({ log, tunnelDoor: (host) => createTunnelDoor(host, { certificate }) });
  gateway.apply(diffSnapshots(undefined, snapshot));
  const listener = { kind: 'tunnel', address: '127.0.0.1', port: 0 } as const;
  const listening = await listen('127.0.0.1', 0, (wire) => gateway.accept(listener, wire));
  t.after(() => {
    listening.close();
    gateway.close();
  });
  return { gateway, port: listening.local.port };
}

test(
  'knocks and handshakes at the tunnel count as half open, and a handshake that fails is told in detail',
  limit,
  async (t) => {
    const lines: (LogFields | undefined)[] = [];
    const note = (_message: string, fields?: LogFields): void => void lines.push(fields);
    const { gateway, port } = await gatewayWith(t, { info: note, warn: note, error: note });
    await silentSocket(t, port, Buffer.alloc(0));
    const other = await silentSocket(t, port, halfAHello);
    while (gateway.counters().halfOpen < 2) await soon();
    await soon(50);
    assert.equal(gateway.counters().halfOpen, 2);
    other.destroy();
    while (gateway.counters().halfOpen > 1) await soon();
    assert.deepEqual(gateway.counters().refusals, { tunnel: { 'handshake-failed': 1 } });
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.refusal, 'handshake-failed');
    assert.equal(lines[0]?.detail, 'closed: the agent hung up in the middle');
  },
);
