// How many, how fast, how long.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { greeting, tls } from '../../../support/gateway/clients.ts';
import { until } from '../../../support/gateway/until.ts';
import { clusterOf, nameOf, snapshotOf, to } from '../scene.ts';
import type { ObservedEngine } from './observed.ts';
import { createStage } from './stage.ts';

export function limitPromises(engine: ObservedEngine): void {
  describe(`${engine.name} limits a cluster`, () => {
    it('to as many connections as it may have, over all workers, and others not at all', async (t) => {
      const stage = createStage(t, engine);
      const [red, blue] = [await stage.backend('red api'), await stage.backend('blue api')];
      const gateway = await stage.open(
        snapshotOf({
          red: clusterOf('red', { apiServer: to(red) }, { maxConnections: 3 }),
          blue: clusterOf('blue', { apiServer: to(blue) }),
        }),
      );
      const place = gateway.at('sni');
      const held = [];
      for (let count = 0; count < 3; count++) {
        held.push(await tls(place, { servername: nameOf('red') }));
        // Workers tell each other ten times a second.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      await gateway.refusing('too-many-connections', [red], () =>
        assert.rejects(tls(place, { servername: nameOf('red') })),
      );
      assert.match(await greeting(place, nameOf('blue')), /^blue api /);
      held.pop()?.close();
      await until(() =>
        greeting(place, nameOf('red')).then(
          () => true,
          () => false,
        ),
      );
      for (const each of held) each.close();
    });

    it('to as many new connections per second as it may have', async (t) => {
      const stage = createStage(t, engine);
      const red = await stage.backend('red api');
      const limited = clusterOf('red', { apiServer: to(red) }, { connectionsPerSecond: 5 });
      const gateway = await stage.open(snapshotOf({ red: limited }), 1);
      const attempts = Array.from({ length: 40 }, () =>
        greeting(gateway.at('sni'), nameOf('red')).then(
          () => 1,
          () => 0,
        ),
      );
      const admitted = (await Promise.all(attempts)).reduce<number>((sum, one) => sum + one, 0);
      // A burst of one second's worth, and what comes back while the attempts last.
      assert.ok(admitted >= 5 && admitted <= 20, String(admitted));
      assert.equal(red.connections(), admitted);
    });

    it('to connections that are not idle for longer than it allows', async (t) => {
      const stage = createStage(t, engine);
      const red = await stage.backend('red api');
      const withShortTimeout = clusterOf('red', { apiServer: to(red) }, { idleTimeout: '2s' });
      const gateway = await stage.open(snapshotOf({ red: withShortTimeout }), 1);
      const [idle, busy] = [
        await tls(gateway.at('sni'), { servername: nameOf('red') }),
        await tls(gateway.at('sni'), { servername: nameOf('red') }),
      ];
      await busy.line();
      const talk = setInterval(() => busy.send('.'), 200);
      t.after(() => clearInterval(talk));
      await idle.ended;
      assert.equal(busy.isOver, false);
      busy.close();
    });
  });
}
