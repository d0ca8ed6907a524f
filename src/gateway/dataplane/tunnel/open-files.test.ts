// Open files of tunnels: an agent with good credentials takes those of its cluster.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTransport, type Transport } from '../../../net/tunnel/index.ts';
import { listen } from '../../../net/wire/index.ts';
import { diffSnapshots } from '../../snapshot/index.ts';
import { sampleCluster, sampleRoute, sampleSnapshot } from '../../snapshot/testing/snapshots.ts';
import { createDataplane } from '../dataplane.ts';
import { plainDialer } from './testing/dialers.ts';
import { soon } from './testing/peers.ts';
import { authorityOf, echoServer } from './testing/tunnel-fixture.ts';
import { createTunnelServer } from './tunnel-server.ts';

/** Each with a connection, so twice as many open files as there are. */
const tunnels = 100;

function agent(t: TestContext, port: number, protocol: 'trunk' | 'h2'): Transport {
  const gateways = [{ host: '127.0.0.1', port }];
  const transport = createTransport({ gateways, dialer: plainDialer, protocol });
  t.after(() => transport.close());
  return transport;
}
/** As often as it takes. */
function keepAsking(by: Transport, authority: string): void {
  by.open(authority, (error) => {
    if (error !== undefined) setTimeout(keepAsking, 500, by, authority).unref();
  });
}

for (const protocol of ['trunk', 'h2'] as const)
  test(`more tunnels by ${protocol} of one cluster than there are open files do not take the last open files of another`, {
    timeout: 60_000,
  }, async (t) => {
    const backend = await echoServer(t);
    const clusterOf = (name: string) => {
      const apiServer = sampleRoute({ authority: authorityOf(name), backends: [`127.0.0.1:${backend}`] });
      return sampleCluster(name, { apiServer, konnectivity: sampleRoute() });
    };
    const clusters = { one: clusterOf('one'), two: clusterOf('two') };
    const snapshot = sampleSnapshot(clusters, { tunnel: { name: 'tunnel.example', authentication: 'none' } });
    const dataplane = createDataplane({ tunnel: (host) => createTunnelServer(host), files: () => 100 });
    dataplane.apply(diffSnapshots(undefined, snapshot));
    const listener = { kind: 'tunnel', address: '127.0.0.1', port: 0 } as const;
    const { local, close } = await listen('127.0.0.1', 0, (wire) => dataplane.accept(listener, wire));
    t.after(() => {
      close();
      dataplane.close();
    });
    for (let i = 0; i < tunnels; i++) keepAsking(agent(t, local.port, protocol), authorityOf('one'));
    const openOf = (name: string): number => dataplane.counters().clusters[name]?.apiServer.open ?? 0;
    const refusals = (): number => dataplane.counters().refusals.tunnel?.['no-descriptors'] ?? 0;
    const until = async (holds: () => boolean): Promise<void> => {
      for (; !holds(); await soon()) t.signal.throwIfAborted();
    };
    await until(() => refusals() > 0);
    keepAsking(agent(t, local.port, protocol), authorityOf('two'));
    await until(() => openOf('two') > 0);
    assert.ok(openOf('one') > 0);
  });
