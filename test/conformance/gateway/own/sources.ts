// Where clients may come from, seen through balancers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Backend } from '../../../support/gateway/backends.ts';
import { plainBackend } from '../../../support/gateway/backends.ts';
import { clientHello } from '../../../support/gateway/client-hello.ts';
import { type Place, tcp, tls, tunnelBehind, tunnelTo } from '../../../support/gateway/clients.ts';
import { freePort } from '../../../support/gateway/ports.ts';
import { proxyV1, proxyV2, readProxyV2 } from '../../../support/gateway/proxy-headers.ts';
import { createUndoList } from '../../../support/gateway/undo.ts';
import { authorityOf, clusterOf, nameOf, snapshotOf, to, tunnelName } from '../scene.ts';
import type { ObservedEngine } from './observed.ts';
import { createStage, type ObservedTestGateway } from './stage.ts';

const allowed = '10.1.2.3';
const elsewhere = '192.0.2.9';
const ownAddress = '127.0.1.3';

export function sourcePromises(engine: ObservedEngine): void {
  describe(`${engine.name} restricts sources`, () => {
    const undo = createUndoList();
    let backend: Backend;
    let direct: ObservedTestGateway;
    let balanced: ObservedTestGateway;
    let [nodePort, balancedNodePort] = [0, 0];
    before(async () => {
      const stage = createStage(undo, engine);
      backend = await plainBackend('red api');
      undo.after(() => backend.stop());
      [nodePort, balancedNodePort] = [await freePort(), await freePort()];
      const more = { allowedSourceRanges: ['10.1.0.0/16'], backendProxyProtocol: true };
      const routes = { apiServer: to(backend) };
      const red = clusterOf('red', { ...routes, nodePort }, more);
      const apiServer = { ...red.apiServer, addresses: [ownAddress], port: nodePort };
      direct = await stage.open(snapshotOf({ red: { ...red, apiServer } }));
      const other = clusterOf('red', { ...routes, nodePort: balancedNodePort }, more);
      const { certFile, keyFile } = stage.authority.issue({ commonName: tunnelName, dns: [tunnelName] });
      balanced = await stage.open(
        snapshotOf(
          { red: other },
          {
            listeners: { sni: 0, tunnel: 0, single: 0, nodePortRange: '1024-65535' },
            tunnel: { name: tunnelName, authentication: 'none', certificate: { certFile, keyFile } },
            trustedBalancers: ['127.0.0.1/32', '::1/128'],
          },
        ),
      );
    });
    after(() => undo.run());

    it('on every listener', async () => {
      const listeners = {
        sni: () => tls(direct.at('sni'), { servername: nameOf('red') }),
        nodePort: async () => (await tcp({ host: '127.0.0.1', port: nodePort })).ended,
        address: async () => (await tcp({ host: ownAddress, port: nodePort })).ended,
        tunnel: async () => (await tunnelTo(direct.at('tunnel'))).connect(authorityOf('red')),
      };
      for (const attempt of Object.values(listeners))
        await direct.refusing('source-not-allowed', [backend], () => attempt().catch(() => {}));
    });

    const through = async (place: Place, header: Buffer, hello?: Buffer) => {
      const conversation = await tcp(place);
      conversation.send(hello === undefined ? header : Buffer.concat([header, hello]));
      undo.after(() => conversation.close());
      return conversation;
    };

    for (const [version, header] of Object.entries({ 'version 1': proxyV1, 'version 2': proxyV2 })) {
      it(`by the address in a trusted balancer's PROXY header, ${version}, and tells it to the backend`, async () => {
        const hello = await clientHello(nameOf('red'));
        const byName = await through(balanced.at('sni'), header(allowed, 4711), hello);
        assert.equal(await byName.line(), 'red api -');
        assert.deepEqual(await readProxyV2(byName), { client: allowed, port: 4711 });
        assert.deepEqual(await byName.exactly(hello.length), hello);
        const byPort = await through({ host: '127.0.0.1', port: balancedNodePort }, header(allowed, 4712));
        assert.deepEqual(
          [await byPort.line(), await readProxyV2(byPort)],
          ['red api -', { client: allowed, port: 4712 }],
        );
      });

      it(`and refuses another address in it, ${version}`, () =>
        balanced.refusing('source-not-allowed', [backend], async () => {
          const conversation = await through(
            balanced.at('sni'),
            header(elsewhere, 1),
            await clientHello(nameOf('red')),
          );
          await conversation.ended;
        }));
    }

    const tunnels = {
      'in cleartext': (header: Buffer) => tunnelBehind(balanced.at('tunnel'), header),
      'in TLS': (header: Buffer) => tunnelBehind(balanced.at('tunnel'), header, { servername: tunnelName }),
      'on the single port': (header: Buffer) => tunnelBehind(balanced.at('single'), header, { servername: tunnelName }),
    };
    for (const [name, open] of Object.entries(tunnels)) {
      it(`through the tunnel ${name}, too, and tells the backend who is at its other end`, async () => {
        for (const [port, header] of [proxyV1(allowed, 4713), proxyV2(allowed, 4714)].entries()) {
          const tunnel = await open(header);
          undo.after(() => tunnel.close());
          const { status, conversation } = await tunnel.connect(authorityOf('red'));
          assert.deepEqual([status, await conversation.line()], [200, 'red api -']);
          assert.deepEqual(await readProxyV2(conversation), { client: allowed, port: 4713 + port });
        }
        await balanced.refusing('source-not-allowed', [backend], async () => {
          const tunnel = await open(proxyV2(elsewhere, 1));
          undo.after(() => tunnel.close());
          const { headers } = await tunnel.connect(authorityOf('red'));
          assert.equal(headers['causeway-refusal'], 'source-not-allowed');
        });
      });
    }

    it('and refuses a balancer that sends no header', () =>
      balanced.refusing('bad-proxy-header', [backend], async () => {
        const conversation = await through(balanced.at('sni'), Buffer.alloc(0), await clientHello(nameOf('red')));
        await conversation.ended;
      }));

    it('and believes nobody else', () =>
      direct.refusing('not-tls', [backend], async () => {
        const conversation = await through(direct.at('sni'), proxyV1(allowed, 1), await clientHello(nameOf('red')));
        await conversation.ended;
      }));
  });
}
