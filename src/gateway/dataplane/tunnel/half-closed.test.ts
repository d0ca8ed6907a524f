// Half-closed connections that came by tunnel: each kind of stream tells its end in its own way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from '../../../net/tunnel/index.ts';
import { listen, silentSink, type Wire } from '../../../net/wire/index.ts';
import { diffSnapshots } from '../../snapshot/index.ts';
import { sampleCluster, sampleRoute, sampleSnapshot } from '../../snapshot/testing/snapshots.ts';
import { createDataplane } from '../dataplane.ts';
import { plainDialer } from './testing/dialers.ts';
import { soon } from './testing/peers.ts';
import { authorityOf, echoServer } from './testing/tunnel-fixture.ts';
import { createTunnelServer } from './tunnel-server.ts';

for (const protocol of ['trunk', 'h2'] as const)
  test(`a connection by ${protocol} that the agent has ended is ended when nothing comes from the backend; one that is open stays`, {
    timeout: 30_000,
  }, async (t) => {
    const silent = await echoServer(t, (socket) => void socket.resume());
    const apiServer = sampleRoute({ authority: authorityOf('one'), backends: [`127.0.0.1:${silent}`] });
    const one = sampleCluster('one', { apiServer, halfClosedTimeout: '200ms' });
    const snapshot = sampleSnapshot({ one }, { tunnel: { name: 'tunnel.example', authentication: 'none' } });
    const dataplane = createDataplane({ tunnel: (host) => createTunnelServer(host) });
    dataplane.apply(diffSnapshots(undefined, snapshot));
    const listener = { kind: 'tunnel', address: '127.0.0.1', port: 0 } as const;
    const { local, close } = await listen('127.0.0.1', 0, (wire) => dataplane.accept(listener, wire));
    const gateways = [{ host: '127.0.0.1', port: local.port }];
    const transport = createTransport({ gateways, dialer: plainDialer, protocol });
    t.after(() => {
      transport.close();
      close();
      dataplane.close();
    });
    const opened = (): Promise<Wire> =>
      new Promise((resolve, reject) => {
        const attempt = (): void =>
          transport.open(authorityOf('one'), (error, wire) => {
            if (wire !== undefined) resolve(wire);
            else if (transport.state.ready) reject(error);
            else setTimeout(attempt, 20);
          });
        attempt();
      });
    const [ended, open] = [await opened(), await opened()];
    open.read(silentSink);
    const closed = new Promise<Error | undefined>((resolve) => ended.read({ ...silentSink, closed: resolve }));
    ended.end();
    assert.notEqual(await closed, undefined);
    while (dataplane.connections().length > 1) await soon();
    assert.deepEqual(
      dataplane.connections().map(({ state }) => state),
      ['carried'],
    );
  });
