// Bad snapshots, drain.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { accepts, greeting, tls, tunnelTo } from '../../../support/gateway/clients.ts';
import { until } from '../../../support/gateway/until.ts';
import { authorityOf, clusterOf, createScene, nameOf, snapshotOf, to } from '../scene.ts';
import type { Subject } from '../subject.ts';

export function lifecyclePromises({ engine }: Subject): void {
  describe(`${engine.name} refuses a bad snapshot as a whole`, () => {
    it('and goes on with the one it has', async (t) => {
      const scene = createScene(t);
      const backend = await scene.backend('red api');
      const red = clusterOf('red', { apiServer: to(backend) });
      const gateway = await scene.start(engine, snapshotOf({ red }));
      const green = clusterOf('green', { apiServer: to(backend) });
      const impostor = { ...green, apiServer: { ...green.apiServer, sni: nameOf('red') } };
      await assert.rejects(gateway.apply(snapshotOf({ red, green, impostor })));
      assert.match(await greeting(gateway.at('sni'), nameOf('red')), /^red api /);
      await assert.rejects(greeting(gateway.at('sni'), nameOf('green')));
      await gateway.apply(snapshotOf({ red, green }));
      assert.match(await greeting(gateway.at('sni'), nameOf('green')), /^red api /);
    });
  });

  describe(`${engine.name} drains`, () => {
    it('takes nothing new, tells tunnels to go, lets connections end by themselves, and then ends', async (t) => {
      const scene = createScene(t);
      const backend = await scene.backend('red api');
      const gateway = await scene.start(engine, snapshotOf({ red: clusterOf('red', { apiServer: to(backend) }) }));
      const place = gateway.at('sni');
      const held = await tls(place, { servername: nameOf('red') });
      await held.line();
      const tunnel = await tunnelTo(gateway.at('tunnel'));
      const { conversation } = await tunnel.connect(authorityOf('red'));
      const goaway = once(tunnel.session, 'goaway', { signal: AbortSignal.timeout(10_000) });
      let stopped = false;
      const stopping = gateway.stop(20_000).then(() => {
        stopped = true;
      });
      await goaway;
      await until(async () => !(await accepts(place)));
      assert.equal(await held.echo('still here'), 'still here');
      assert.equal(stopped, false);
      conversation.close();
      tunnel.close();
      held.close();
      const closedAt = Date.now();
      await stopping;
      assert.ok(Date.now() - closedAt < 10_000, 'it waited for nothing');
    });

    it('ends what does not end by itself when the grace time is over', async (t) => {
      const scene = createScene(t);
      const backend = await scene.backend('red api');
      const gateway = await scene.start(engine, snapshotOf({ red: clusterOf('red', { apiServer: to(backend) }) }));
      const held = await tls(gateway.at('sni'), { servername: nameOf('red') });
      await gateway.stop(500);
      await held.ended;
    });
  });
}
