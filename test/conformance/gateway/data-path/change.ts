// A new snapshot: who is not in the difference does not notice.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { greeting, greetingInside, tcp, tls, tunnelTo } from '../../../support/gateway/clients.ts';
import type { Conversation } from '../../../support/gateway/conversation.ts';
import { freePort } from '../../../support/gateway/ports.ts';
import { authorityOf, clusterOf, createScene, nameOf, snapshotOf, to } from '../scene.ts';
import type { Subject } from '../subject.ts';

const stillEchoes = async (conversations: readonly Conversation[]): Promise<void> => {
  for (const each of conversations) assert.equal(await each.echo('still here'), 'still here');
};

async function greeted(conversation: Promise<Conversation>): Promise<Conversation> {
  await (await conversation).line();
  return conversation;
}

export function changePromises({ engine, graceMs, keepsTunnels }: Subject): void {
  describe(`${engine.name} changes`, () => {
    it('so that others keep their connections and new routes work at once', async (t) => {
      const scene = createScene(t);
      const [redApi, before, later] = [
        await scene.backend('red api'),
        await scene.backend('before'),
        await scene.backend('later'),
      ];
      const [redPort, greenPort] = [await freePort(), await freePort()];
      const red = clusterOf('red', { apiServer: to(redApi), nodePort: redPort });
      const gateway = await scene.start(
        engine,
        snapshotOf({ red, blue: clusterOf('blue', { apiServer: to(before) }) }),
      );
      const held = [
        await greeted(tls(gateway.at('sni'), { servername: nameOf('red') })),
        await greeted(tls({ host: '127.0.0.1', port: redPort })),
      ];
      const tunnel = await tunnelTo(gateway.at('tunnel'));
      t.after(() => tunnel.close());
      const { conversation } = await tunnel.connect(authorityOf('red'));

      const blue = clusterOf('blue', { apiServer: to(later) });
      const green = clusterOf('green', { apiServer: to(before), nodePort: greenPort });
      await gateway.apply(snapshotOf({ red, blue, green }));

      assert.match(await greeting(gateway.at('sni'), nameOf('blue')), /^later /);
      assert.match(await greeting(gateway.at('sni'), nameOf('green')), /^before /);
      assert.match(await greeting({ host: '127.0.0.1', port: greenPort }), /^before /);
      const anew = await tunnelTo(gateway.at('tunnel'));
      t.after(() => anew.close());
      assert.match(await greetingInside((await anew.connect(authorityOf('green'))).conversation), /^before /);
      await sleep(graceMs + 500);
      await stillEchoes(held);
      if (keepsTunnels) assert.match(await greetingInside(conversation), /^red api /);
      for (const each of held) each.close();
    });

    it('so that the connections of a removed cluster end after a grace time, and only these', async (t) => {
      const scene = createScene(t);
      const [redApi, blueApi] = [await scene.backend('red api'), await scene.backend('blue api')];
      const nodePort = await freePort();
      const red = clusterOf('red', { apiServer: to(redApi) });
      const blue = clusterOf('blue', { apiServer: to(blueApi), nodePort });
      const gateway = await scene.start(engine, snapshotOf({ red, blue }));
      const [redHeld, blueHeld] = [
        await greeted(tls(gateway.at('sni'), { servername: nameOf('red') })),
        await greeted(tls(gateway.at('sni'), { servername: nameOf('blue') })),
      ];
      await gateway.apply(snapshotOf({ red }));
      const came = blueApi.connections();
      await assert.rejects(tls(gateway.at('sni'), { servername: nameOf('blue') }));
      await assert.rejects(
        tcp({ host: '127.0.0.1', port: nodePort }).then((each) => each.ended.then(() => each.close())),
      );
      assert.equal(blueApi.connections(), came);
      await Promise.race([
        blueHeld.ended,
        sleep(graceMs + 5_000, undefined, { ref: false }).then(() => assert.fail('it was never ended')),
      ]);
      await stillEchoes([redHeld]);
      redHeld.close();
    });
  });
}
