// Who is refused is told why, as far as the protocol has words for it, and the reason is counted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Backend } from '../../../support/gateway/backends.ts';
import { clientHello, helloWithExtensions, helloWithName } from '../../../support/gateway/client-hello.ts';
import { tcp, tunnelTo } from '../../../support/gateway/clients.ts';
import { freePort } from '../../../support/gateway/ports.ts';
import { createUndoList } from '../../../support/gateway/undo.ts';
import { authorityOf, clusterOf, nameOf, snapshotOf, to } from '../scene.ts';
import type { ObservedEngine } from './observed.ts';
import { createStage, type ObservedTestGateway } from './stage.ts';

/** A fatal alert in a record of its own (RFC 8446, section 6). */
const alert = (number: number): RegExp => new RegExp(`^\\x15\\x03.\\x00\\x02\\x02\\x${number.toString(16)}$`, 's');

const padding = Buffer.alloc(20_000);
padding.writeUInt16BE(21, 0);
padding.writeUInt16BE(padding.length - 4, 2);

export function refusalPromises(engine: ObservedEngine): void {
  describe(`${engine.name} refuses with a reason`, () => {
    const undo = createUndoList();
    let gateway: ObservedTestGateway;
    let backend: Backend;
    before(async () => {
      const stage = createStage(undo, engine);
      backend = await stage.backend('red api');
      const dead = clusterOf('dead', { apiServer: [`127.0.0.1:${await freePort()}`] });
      gateway = await stage.open(snapshotOf({ red: clusterOf('red', { apiServer: to(backend) }), dead }));
    });
    after(() => undo.run());

    const cases: Record<string, { send: () => Buffer | Promise<Buffer>; gets: RegExp }> = {
      'no-sni': { send: () => clientHello(), gets: alert(109) },
      'unknown-sni': { send: () => clientHello(nameOf('green')), gets: alert(112) },
      'ip-as-sni': { send: () => helloWithName('192.0.2.1'), gets: alert(112) },
      'plain-http': {
        send: () => Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n'),
        gets: /^HTTP\/1\.1 400 [\s\S]*https/,
      },
      'not-tls': { send: () => Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), gets: /^$/ },
      'hello-malformed': { send: malformed, gets: alert(49) },
      'hello-too-large': { send: () => helloWithExtensions(padding), gets: alert(49) },
      'no-backend': { send: () => clientHello(nameOf('dead')), gets: alert(80) },
    };
    for (const [reason, { send, gets }] of Object.entries(cases)) {
      it(reason, () =>
        gateway.refusing(reason, [backend], async () => {
          const conversation = await tcp(gateway.at('sni'));
          conversation.send(await send());
          assert.match((await conversation.rest()).toString('latin1'), gets);
          conversation.close();
        }),
      );
    }

    const connects: Record<string, { authority?: string; status: number; headers?: Record<string, string> }> = {
      'unknown-authority': { authority: 'example.com:443', status: 404 },
      'no-backend': { authority: authorityOf('dead'), status: 503 },
    };
    for (const [reason, { authority, status }] of Object.entries(connects)) {
      it(`${reason}, in the tunnel`, () =>
        gateway.refusing(reason, [backend], async () => {
          const tunnel = await tunnelTo(gateway.at('tunnel'));
          undo.after(() => tunnel.close());
          const answer = await tunnel.connect(authority);
          assert.deepEqual([answer.status, answer.headers['causeway-refusal']], [status, reason]);
        }));
    }

    it('not-connect, in the tunnel', () =>
      gateway.refusing('not-connect', [backend], async () => {
        const tunnel = await tunnelTo(gateway.at('tunnel'));
        undo.after(() => tunnel.close());
        const stream = tunnel.session.request({ ':path': '/' });
        stream.on('error', () => {});
        const [headers] = await new Promise<[Record<string, unknown>]>((resolve) =>
          stream.once('response', (answer) => resolve([answer])),
        );
        assert.equal(headers[':status'], 405);
      }));
  });
}

/** The name's length says more than there is. */
async function malformed(): Promise<Buffer> {
  const hello = helloWithName(nameOf('red'));
  const at = hello.indexOf(nameOf('red'));
  hello.writeUInt16BE(0xff, at - 2);
  return hello;
}
