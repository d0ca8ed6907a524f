// What goes in comes out, to the last byte, in both directions.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Backend, digestingBackend, partingBackend, type Received } from '../../../support/gateway/backends.ts';
import { clientHello, inRecordsOf } from '../../../support/gateway/client-hello.ts';
import { tcp, tunnelTo } from '../../../support/gateway/clients.ts';
import type { Conversation } from '../../../support/gateway/conversation.ts';
import { pattern, sha256 } from '../../../support/gateway/pattern.ts';
import { freePort } from '../../../support/gateway/ports.ts';
import { createUndoList, type Undo } from '../../../support/gateway/undo.ts';
import { until } from '../../../support/gateway/until.ts';
import { authorityOf, clusterOf, createScene, nameOf, snapshotOf, type TestGateway, to } from '../scene.ts';
import type { Subject } from '../subject.ts';

const bulk = 20 * 1024 * 1024;

/** Sends, closes our half, and checks what arrived there and what came back. */
async function exchange(conversation: Conversation, first: Buffer): Promise<void> {
  const more = pattern(bulk);
  conversation.send(first);
  conversation.finish(more);
  const received = JSON.parse(await conversation.line()) as Received;
  assert.deepEqual(received, { bytes: first.length + bulk, sha256: sha256(first, more) });
  assert.equal(sha256(await conversation.rest()), sha256(more));
  assert.equal(await conversation.ended, 'end');
}

export function integrityPromises({ engine, halfClosesTunnels }: Subject): void {
  describe(`${engine.name} passes bytes untouched`, () => {
    const undo = createUndoList();
    let gateway: TestGateway;
    let nodePort: number;
    let backend: Backend;
    before(async () => {
      const scene = createScene(undo);
      backend = await digestingBackend('red api', bulk);
      undo.after(() => backend.stop());
      nodePort = await freePort();
      const red = clusterOf('red', { apiServer: to(backend), nodePort });
      gateway = await scene.start(engine, snapshotOf({ red }));
    });
    after(() => undo.run());

    it('20 MiB each way after a ClientHello, with the client closing its half first', async () => {
      await exchange(await tcp(gateway.at('sni')), await clientHello(nameOf('red')));
    });

    it('20 MiB each way through CONNECT', async () => {
      const tunnel = await tunnelTo(gateway.at('tunnel'));
      const { conversation } = await tunnel.connect(authorityOf('red'));
      await exchange(conversation, Buffer.from('first'));
      tunnel.close();
    });

    it('20 MiB each way on a node port, where it need not be TLS', async () => {
      await exchange(await tcp({ host: '127.0.0.1', port: nodePort }), Buffer.from('SSH-2.0-not-tls\r\n'));
    });

    it('what the client sends after the backend has closed its half', async (t) => {
      const scene = createScene(t);
      for (const listener of halfClosesTunnels ? ['sni', 'tunnel'] : ['sni']) {
        const parting = await partingBackend('red api');
        t.after(() => parting.stop());
        const red = clusterOf('red', { apiServer: to(parting) });
        const running = await scene.start(engine, snapshotOf({ red }), { workers: 1 });
        const hello = await clientHello(nameOf('red'));
        const conversation = listener === 'sni' ? await tcp(running.at('sni')) : await connected(t, running);
        conversation.send(hello);
        assert.equal(await conversation.line(), 'goodbye');
        assert.equal(await conversation.ended, 'end');
        const late = pattern(100_000);
        conversation.finish(late);
        assert.deepEqual(await parting.received, { bytes: hello.length + late.length, sha256: sha256(hello, late) });
      }
    });

    it('a ClientHello that comes byte by byte', async () => {
      const hello = await clientHello(nameOf('red'));
      const conversation = await tcp(gateway.at('sni'));
      for (const byte of hello) {
        conversation.send(Buffer.from([byte]));
        await nextTurn();
      }
      await arrives(backend, conversation, hello);
    });

    it('a ClientHello in several TLS records', async () => {
      const hello = inRecordsOf(50, await clientHello(nameOf('red')));
      const conversation = await tcp(gateway.at('sni'));
      conversation.send(hello);
      await arrives(backend, conversation, hello);
    });

    it('what follows the ClientHello in the same segment', async () => {
      const hello = await clientHello(nameOf('red'));
      const all = Buffer.concat([hello, pattern(5_000)]);
      const conversation = await tcp(gateway.at('sni'));
      conversation.send(all);
      await arrives(backend, conversation, all);
    });
  });
}

async function connected(t: Undo, gateway: TestGateway): Promise<Conversation> {
  const tunnel = await tunnelTo(gateway.at('tunnel'));
  t.after(() => tunnel.close());
  return (await tunnel.connect(authorityOf('red'))).conversation;
}

async function arrives(backend: Backend, conversation: Conversation, sent: Buffer): Promise<void> {
  // A gateway may take an early end for a client that went away, and that it is connected it may know later than the backend.
  await until(() => backend.open() === 1 && backend.receivedSoFar() === sent.length);
  conversation.finish();
  const received = JSON.parse(await conversation.line()) as Received;
  assert.deepEqual(received, { bytes: sent.length, sha256: sha256(sent) });
  conversation.close();
  await until(() => backend.open() === 0);
}
