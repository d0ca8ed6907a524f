// Several endpoints behind one name.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainBackend } from '../../../support/gateway/backends.ts';
import { clientHello } from '../../../support/gateway/client-hello.ts';
import { greeting, tcp, tunnelTo } from '../../../support/gateway/clients.ts';
import { freePort } from '../../../support/gateway/ports.ts';
import { until } from '../../../support/gateway/until.ts';
import { authorityOf, clusterOf, createScene, nameOf, snapshotOf, to } from '../scene.ts';
import type { Subject } from '../subject.ts';

export function endpointPromises({ engine }: Subject): void {
  describe(`${engine.name} knows several endpoints`, () => {
    it('and gives each its turn', async (t) => {
      const scene = createScene(t);
      const backends = [await scene.backend('one'), await scene.backend('two'), await scene.backend('three', '::1')];
      const red = clusterOf('red', { apiServer: to(...backends) });
      const gateway = await scene.start(engine, snapshotOf({ red }), { workers: 1 });
      for (let turn = 0; turn < 9; turn++) await greeting(gateway.at('sni'), nameOf('red'));
      assert.deepEqual(
        backends.map((backend) => backend.connections()),
        [3, 3, 3],
      );
    });

    it('and loses nobody to a dead one', async (t) => {
      const scene = createScene(t);
      const live = await scene.backend('live');
      const dead = `127.0.0.1:${await freePort()}`;
      const red = clusterOf('red', { apiServer: [dead, ...to(live)] });
      const gateway = await scene.start(engine, snapshotOf({ red }), { workers: 1 });
      for (let turn = 0; turn < 6; turn++) assert.match(await greeting(gateway.at('sni'), nameOf('red')), /^live /);
    });

    it('and lets go of one when the client, or the tunnel it came through, is gone', async (t) => {
      const scene = createScene(t);
      const backend = await plainBackend('red api');
      t.after(() => backend.stop());
      const red = clusterOf('red', { apiServer: to(backend) });
      const gateway = await scene.start(engine, snapshotOf({ red }), { workers: 1 });
      const byName = await tcp(gateway.at('sni'));
      byName.send(await clientHello(nameOf('red')));
      await byName.line();
      const tunnel = await tunnelTo(gateway.at('tunnel'));
      await (await tunnel.connect(authorityOf('red'))).conversation.line();
      assert.equal(backend.open(), 2);
      byName.close();
      await until(() => backend.open() === 1);
      tunnel.close();
      await until(() => backend.open() === 0);
    });

    it('and ends a connection that finds none alive', async (t) => {
      const scene = createScene(t);
      const red = clusterOf('red', { apiServer: [`127.0.0.1:${await freePort()}`] });
      const gateway = await scene.start(engine, snapshotOf({ red }), { workers: 1 });
      await assert.rejects(greeting(gateway.at('sni'), nameOf('red')));
    });
  });
}
