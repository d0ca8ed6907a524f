// Who may use the tunnel, and for which cluster.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EvictedNode, Snapshot, SnapshotCluster } from '../../../../src/gateway/index.ts';
import type { Backend } from '../../../support/gateway/backends.ts';
import { type Authority, createAuthority } from '../../../support/gateway/certificates.ts';
import { greetingInside, tunnelTo } from '../../../support/gateway/clients.ts';
import {
  bearer,
  createAccountKey,
  createTokenKey,
  nodeToken,
  tokenFor,
  unsignedToken,
} from '../../../support/gateway/tokens.ts';
import { createUndoList } from '../../../support/gateway/undo.ts';
import { authorityOf, clusterOf, snapshotOf, to, tunnelName } from '../scene.ts';
import type { ObservedEngine } from './observed.ts';
import { createStage, type ObservedTestGateway, type Stage } from './stage.ts';

interface World {
  readonly stage: Stage;
  readonly backends: readonly Backend[];
  readonly clusters: Record<string, SnapshotCluster>;
  readonly certificate: { readonly certFile: string; readonly keyFile: string };
}

async function createWorld(stage: Stage): Promise<World> {
  const backends = [await stage.backend('red api'), await stage.backend('blue api')];
  const [red, blue] = backends as [Backend, Backend];
  const { certFile, keyFile } = stage.authority.issue({ commonName: tunnelName, dns: [tunnelName] });
  const clusters = { red: clusterOf('red', { apiServer: to(red) }), blue: clusterOf('blue', { apiServer: to(blue) }) };
  return { stage, backends, clusters, certificate: { certFile, keyFile } };
}

export function authenticationPromises(engine: ObservedEngine): void {
  describe(`${engine.name} lets through the tunnel, by token,`, () => {
    const undo = createUndoList();
    const [key, next, foreign] = [createTokenKey(), createTokenKey(), createTokenKey()];
    let world: World;
    let gateway: ObservedTestGateway;
    let tunnel: Snapshot['tunnel'];
    before(async () => {
      world = await createWorld(createStage(undo, engine));
      const publicKeys = [key.publicKey, next.publicKey];
      tunnel = { name: tunnelName, authentication: 'token', certificate: world.certificate, publicKeys };
      gateway = await world.stage.open(snapshotOf(world.clusters, { tunnel }));
    });
    after(() => undo.run());

    const attempt = async (cluster: string, headers: Record<string, string>) => {
      const tunnel = await tunnelTo(gateway.at('tunnel'), { servername: tunnelName });
      undo.after(() => tunnel.close());
      return tunnel.connect(authorityOf(cluster), headers);
    };

    it('the agent of a cluster to that cluster, whichever of the current keys signed', async () => {
      for (const signer of [key, next]) {
        const { status, conversation } = await attempt('red', bearer(tokenFor('red', signer)));
        assert.equal(status, 200);
        assert.match(await greetingInside(conversation), /^red api /);
      }
    });

    const refused: Record<string, () => Record<string, string>> = {
      'no-credentials': () => ({}),
      'wrong-cluster': () => bearer(tokenFor('blue', key)),
      'expired-token': () => bearer(tokenFor('red', key, -60)),
      'foreign-token': () => bearer(tokenFor('red', foreign)),
      'bad-token': () => bearer(`${tokenFor('red', key)}x`),
    };
    for (const [reason, headers] of Object.entries(refused)) {
      it(`nobody else: ${reason}`, () =>
        gateway.refusing(reason, world.backends, async () => {
          const answer = await attempt('red', headers());
          assert.ok(answer.status >= 400, String(answer.status));
          assert.equal(answer.headers['causeway-refusal'], reason);
        }));
    }

    it('no token without a signature, for another purpose or with claims changed', async () => {
      const [head, , signature] = tokenFor('red', key).split('.');
      const claims = tokenFor('blue', key).split('.')[1];
      const forged = [
        unsignedToken('red'),
        tokenFor('red', key, 3600, { aud: 'something-else' }),
        [head, claims, signature].join('.'),
      ];
      for (const token of forged) assert.ok((await attempt('red', bearer(token))).status >= 400);
      assert.ok((await attempt('blue', bearer(forged[2] ?? ''))).status >= 400);
    });

    it('the agent of a node, by a token of its cluster’s own, until the node is evicted', async () => {
      const [own, other] = [createAccountKey(), createAccountKey()];
      const withKeys = (evictedNodes: readonly EvictedNode[]): Snapshot => {
        const { red, blue } = world.clusters as { red: SnapshotCluster; blue: SnapshotCluster };
        const clusters = {
          red: { ...red, tokenAuthorities: [own.authority], evictedNodes },
          blue: { ...blue, tokenAuthorities: [other.authority] },
        };
        return snapshotOf(clusters, { tunnel, version: `evicted-${evictedNodes.length}` });
      };
      await gateway.apply(withKeys([]));
      const attempts = await Promise.all(['n1', 'n2'].map((node) => attempt('red', bearer(nodeToken(node, own)))));
      const [evicted, staying] = attempts.map(({ conversation }) => conversation);
      for (const { status } of attempts) assert.equal(status, 200);
      for (const one of [evicted, staying]) assert.ok(one !== undefined && !one.isOver);
      await gateway.refusing('wrong-cluster', world.backends, async () => {
        const answer = await attempt('blue', bearer(nodeToken('n1', own)));
        assert.equal(answer.headers['causeway-refusal'], 'wrong-cluster');
      });
      await gateway.apply(withKeys([{ name: 'n1' }]));
      await evicted?.ended;
      assert.equal(staying?.isOver, false);
      await gateway.refusing('evicted-node', world.backends, async () => {
        const answer = await attempt('red', bearer(nodeToken('n1', own)));
        assert.equal(answer.headers['causeway-refusal'], 'evicted-node');
      });
      assert.equal((await attempt('red', bearer(nodeToken('n2', own)))).status, 200);
    });

    it('nobody in cleartext', async () => {
      const came = world.backends.map((backend) => backend.connections());
      const outcome = await tunnelTo(gateway.at('tunnel'))
        .then((tunnel) => tunnel.connect(authorityOf('red'), bearer(tokenFor('red', key))))
        .then(({ status }) => status)
        .catch(() => 'broken');
      assert.notEqual(outcome, 200);
      assert.deepEqual(
        world.backends.map((backend) => backend.connections()),
        came,
      );
    });
  });

  describe(`${engine.name} lets through the tunnel, by certificate,`, () => {
    const undo = createUndoList();
    let world: World;
    let gateway: ObservedTestGateway;
    let agents: Authority;
    before(async () => {
      world = await createWorld(createStage(undo, engine));
      agents = createAuthority(`${world.stage.directory}/agents`, 'agents');
      const { certificate } = world;
      const clientAuthorities = [agents.cert];
      const tunnel = { name: tunnelName, authentication: 'certificate', certificate, clientAuthorities } as const;
      gateway = await world.stage.open(snapshotOf(world.clusters, { tunnel }));
    });
    after(() => undo.run());

    const attempt = async (authority: Authority | undefined, commonName: string, organisation = 'causeway:tunnel') => {
      const { cert, key } = authority?.issue({ commonName, organisation }) ?? {};
      const tunnel = await tunnelTo(gateway.at('tunnel'), { servername: tunnelName, cert, key });
      undo.after(() => tunnel.close());
      return tunnel.connect(authorityOf('red'));
    };
    const isRefused = (attempted: Promise<{ status: number }>): Promise<void> =>
      attempted.then(
        ({ status }) => assert.ok(status >= 400, String(status)),
        () => {},
      );

    it('the agent whose certificate names the cluster', async () => {
      const { status, conversation } = await attempt(agents, 'red');
      assert.equal(status, 200);
      assert.match(await greetingInside(conversation), /^red api /);
    });

    it('nobody for another cluster', () =>
      gateway.refusing('wrong-cluster', world.backends, () => isRefused(attempt(agents, 'blue'))));

    it('nobody with a certificate for something else, of another authority, or with none', async () => {
      const other = createAuthority(`${world.stage.directory}/other`, 'agents');
      for (const [authority, organisation] of [[agents, 'system:masters'], [other], []] as const)
        await gateway.refusing('bad-certificate', world.backends, () =>
          isRefused(attempt(authority, 'red', organisation)),
        );
    });
  });
}
