// Who comes by which name, authority or port arrives where, and nobody else anywhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Backend } from '../../../support/gateway/backends.ts';
import { clientHello } from '../../../support/gateway/client-hello.ts';
import { greeting, greetingInside, tcp, tls, tunnelTo } from '../../../support/gateway/clients.ts';
import { freePort } from '../../../support/gateway/ports.ts';
import { createUndoList, type Undo } from '../../../support/gateway/undo.ts';
import {
  authorityOf,
  clusterOf,
  createScene,
  konnectivityNameOf,
  nameOf,
  snapshotOf,
  type TestGateway,
  to,
} from '../scene.ts';
import type { Subject } from '../subject.ts';

interface World {
  readonly gateway: TestGateway;
  readonly nodePorts: { readonly red: number; readonly blue: number };
  readonly backends: readonly Backend[];
}

const connectionsOf = (backends: readonly Backend[]): number[] => backends.map((backend) => backend.connections());

async function createWorld({ engine }: Subject, undo: Undo): Promise<World> {
  const scene = createScene(undo);
  const [redApi, redKonnectivity] = [await scene.backend('red api'), await scene.backend('red konnectivity')];
  const [blueApi, blueKonnectivity] = [await scene.backend('blue api'), await scene.backend('blue konnectivity')];
  const nodePorts = { red: await freePort(), blue: await freePort() };
  const clusters = {
    red: clusterOf('red', { apiServer: to(redApi), konnectivity: to(redKonnectivity), nodePort: nodePorts.red }),
    blue: clusterOf('blue', { apiServer: to(blueApi), konnectivity: to(blueKonnectivity), nodePort: nodePorts.blue }),
  };
  const gateway = await scene.start(engine, snapshotOf(clusters));
  return { gateway, nodePorts, backends: [redApi, redKonnectivity, blueApi, blueKonnectivity] };
}

export function routingPromises(subject: Subject): void {
  describe(`${subject.engine.name} routes`, () => {
    const undo = createUndoList();
    let world: World;
    before(async () => {
      world = await createWorld(subject, undo);
    });
    after(() => undo.run());

    const untouched = async (work: () => Promise<unknown>): Promise<void> => {
      const earlier = connectionsOf(world.backends);
      await work();
      assert.deepEqual(connectionsOf(world.backends), earlier, 'a backend was touched');
    };

    for (const host of ['127.0.0.1', '::1']) {
      it(`a name to the API server of that cluster, and its konnectivity name to its konnectivity server (${host})`, async () => {
        for (const [servername, expected] of [
          [nameOf('red'), 'red api'],
          [konnectivityNameOf('red'), 'red konnectivity'],
          [nameOf('blue'), 'blue api'],
          [konnectivityNameOf('blue'), 'blue konnectivity'],
        ]) {
          const conversation = await tls(world.gateway.at('sni', host), { servername });
          assert.equal(await conversation.line(), `${expected} ${servername}`);
          assert.equal(await conversation.echo('ping'), 'ping');
          conversation.close();
        }
      });

      it(`CONNECT to the API server of the cluster that the authority names (${host})`, async () => {
        const tunnel = await tunnelTo(world.gateway.at('tunnel', host));
        const streams = await Promise.all(['red', 'blue', 'red'].map((name) => tunnel.connect(authorityOf(name))));
        assert.deepEqual(
          streams.map(({ status }) => status),
          [200, 200, 200],
        );
        const greetings = await Promise.all(streams.map(({ conversation }) => greetingInside(conversation)));
        assert.deepEqual(greetings, ['red api -', 'blue api -', 'red api -']);
        tunnel.close();
      });

      it(`a node port to the cluster it was given to, with or without a name (${host})`, async () => {
        for (const cluster of ['red', 'blue'] as const) {
          const place = { host, port: world.nodePorts[cluster] };
          assert.equal(await greeting(place, nameOf('blue')), `${cluster} api ${nameOf('blue')}`);
          assert.equal(await greeting(place), `${cluster} api -`);
        }
      });
    }

    it('names in whatever case they are written', async () => {
      const conversation = await tls(world.gateway.at('sni'), { servername: nameOf('RED') });
      assert.match(await conversation.line(), /^red api /);
      conversation.close();
    });

    it('an unknown name nowhere', () =>
      untouched(async () => {
        for (const name of [nameOf('green'), `x.${nameOf('red')}`, 'west.example.com']) {
          await assert.rejects(tls(world.gateway.at('sni'), { servername: name }));
        }
      }));

    it('a client without a name nowhere', () =>
      untouched(async () => {
        const conversation = await tcp(world.gateway.at('sni'));
        conversation.send(await clientHello());
        await conversation.ended;
      }));

    it('CONNECT to another authority nowhere', () =>
      untouched(async () => {
        const tunnel = await tunnelTo(world.gateway.at('tunnel'));
        const foreign = ['example.com:443', authorityOf('green'), authorityOf('red').replace(':443', ':22')];
        for (const authority of [...foreign, ...to(...world.backends)]) {
          const { status } = await tunnel.connect(authority);
          assert.ok(status >= 400, `${authority}: ${status}`);
        }
        tunnel.close();
      }));

    it('requests other than CONNECT nowhere', () =>
      untouched(async () => {
        const tunnel = await tunnelTo(world.gateway.at('tunnel'));
        const stream = tunnel.session.request({ ':method': 'GET', ':path': '/', ':authority': authorityOf('red') });
        const status = await new Promise((resolve) => {
          stream.once('response', (headers) => resolve(headers[':status']));
          stream.once('error', () => resolve(500));
        });
        assert.ok(Number(status) >= 400);
        tunnel.close();
      }));
  });
}
