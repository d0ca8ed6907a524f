// What passed is counted by cluster, from all listeners and workers together.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestingBackend } from '../../../support/gateway/backends.ts';
import { clientHello } from '../../../support/gateway/client-hello.ts';
import { tcp, tunnelTo } from '../../../support/gateway/clients.ts';
import type { Conversation } from '../../../support/gateway/conversation.ts';
import { pattern } from '../../../support/gateway/pattern.ts';
import { until } from '../../../support/gateway/until.ts';
import { authorityOf, clusterOf, nameOf, snapshotOf, to } from '../scene.ts';
import type { ObservedEngine } from './observed.ts';
import { createStage } from './stage.ts';

const size = 300_000;

async function exchange(conversation: Conversation, first: Buffer): Promise<{ sent: number; received: number }> {
  conversation.send(first);
  conversation.finish(pattern(size));
  const received = (await conversation.rest()).length;
  return { sent: first.length + size, received };
}

export function accountingPromises(engine: ObservedEngine): void {
  describe(`${engine.name} counts`, () => {
    it('connections and bytes of each cluster', async (t) => {
      const stage = createStage(t, engine);
      const backend = await digestingBackend('red api', size);
      t.after(() => backend.stop());
      const red = clusterOf('red', { apiServer: to(backend) });
      const blue = clusterOf('blue', { apiServer: to(backend) });
      const gateway = await stage.open(snapshotOf({ red, blue }));
      const tunnel = await tunnelTo(gateway.at('tunnel'));
      t.after(() => tunnel.close());
      const hello = await clientHello(nameOf('red'));
      const passed = [
        await exchange(await tcp(gateway.at('sni')), hello),
        await exchange(await tcp(gateway.at('sni')), hello),
        await exchange((await tunnel.connect(authorityOf('red'))).conversation, Buffer.alloc(0)),
      ];
      const sum = (of: 'sent' | 'received'): number => passed.reduce((total, each) => total + each[of], 0);
      const expected = { connections: 3, open: 0, sent: sum('sent'), received: sum('received') };
      await until(async () => (await gateway.traffic('red')).open === 0);
      assert.deepEqual(await gateway.traffic('red'), expected);
      assert.deepEqual(await gateway.traffic('blue'), { connections: 0, open: 0, sent: 0, received: 0 });
    });
  });
}
