// Listeners that KKP does not have: everything on one port, and addresses of a cluster's own.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Backend } from '../../../support/gateway/backends.ts';
import { greeting, greetingInside, tls, tunnelTo } from '../../../support/gateway/clients.ts';
import { freePort } from '../../../support/gateway/ports.ts';
import { bearer, createTokenKey, tokenFor } from '../../../support/gateway/tokens.ts';
import { createUndoList } from '../../../support/gateway/undo.ts';
import { authorityOf, clusterOf, konnectivityNameOf, nameOf, snapshotOf, to, tunnelName } from '../scene.ts';
import type { ObservedEngine } from './observed.ts';
import { createStage, type ObservedTestGateway } from './stage.ts';

export function listenerPromises(engine: ObservedEngine): void {
  describe(`${engine.name} has one port for everything`, () => {
    const undo = createUndoList();
    const key = createTokenKey();
    let gateway: ObservedTestGateway;
    let backends: Backend[];
    before(async () => {
      const stage = createStage(undo, engine);
      const [api, konnectivity] = [await stage.backend('red api'), await stage.backend('red konnectivity')];
      backends = [api, konnectivity];
      const { certFile, keyFile } = stage.authority.issue({ commonName: tunnelName, dns: [tunnelName] });
      const red = clusterOf('red', { apiServer: to(api), konnectivity: to(konnectivity) });
      gateway = await stage.open(
        snapshotOf(
          { red },
          {
            listeners: { single: 0, nodePortRange: '1024-65535' },
            tunnel: {
              name: tunnelName,
              authentication: 'token',
              certificate: { certFile, keyFile },
              publicKeys: [key.publicKey],
            },
          },
        ),
      );
    });
    after(() => undo.run());

    for (const host of ['127.0.0.1', '::1']) {
      it(`where the name tells API server, konnectivity and tunnel apart (${host})`, async () => {
        const place = gateway.at('single', host);
        assert.equal(await greeting(place, nameOf('red')), `red api ${nameOf('red')}`);
        assert.match(await greeting(place, konnectivityNameOf('red')), /^red konnectivity /);
        const tunnel = await tunnelTo(place, { servername: tunnelName });
        undo.after(() => tunnel.close());
        const { status, conversation } = await tunnel.connect(authorityOf('red'), bearer(tokenFor('red', key)));
        assert.equal(status, 200);
        assert.match(await greetingInside(conversation), /^red api /);
      });
    }

    it('and refuses clients without a name by a TLS alert', () =>
      gateway.refusing('no-sni', backends, () =>
        assert.rejects(tls(gateway.at('single')), /missing.extension|alert/i),
      ));
  });

  describe(`${engine.name} gives a cluster addresses of its own`, () => {
    it('where the same port is another cluster', async (t) => {
      const stage = createStage(t, engine);
      const [red, blue] = [await stage.backend('red api'), await stage.backend('blue api')];
      const port = await freePort('0.0.0.0');
      const at = (address: string, backend: Backend) => ({
        apiServer: { addresses: [address], port, backends: to(backend) },
        konnectivity: { backends: [] },
        idleTimeout: '10m',
      });
      await stage.open(snapshotOf({ red: at('127.0.1.1', red), blue: at('127.0.1.2', blue) }));
      assert.equal(await greeting({ host: '127.0.1.1', port }), 'red api -');
      assert.equal(await greeting({ host: '127.0.1.2', port }, nameOf('red')), `blue api ${nameOf('red')}`);
      await assert.rejects(greeting({ host: '127.0.1.3', port }));
    });
  });
}
