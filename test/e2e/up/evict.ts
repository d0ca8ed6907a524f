// One node of two is evicted, with everything real.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { reviewPath } from '../../../src/cli/pipeline.ts';
import { tunnelTo } from '../../support/gateway/clients.ts';
import { bearer } from '../../support/gateway/tokens.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import type { LocalPlatform } from '../../support/local-platform.ts';
import type { Running } from './running.ts';

const cluster = 'tunneling';
const [stolen, other] = ['joined-1', 'joined-2'] as const;

export async function evictsOne(t: Undo, local: LocalPlatform, platform: Running): Promise<void> {
  const keys = [`gateways/local/token.pub`, `clusters/${cluster}/pki/service-account.pub`];
  const keysNow = (): string[] => keys.map((file) => readFileSync(local.at('.causeway', file), 'utf8'));
  const before = keysNow();
  const tokens = new Map<string, string>();
  for (const node of [stolen, other]) await platform.kubectl(cluster, ['create', '-f', manifest(local, node)]);
  // The platform looks for new nodes every ten seconds.
  for (const node of [stolen, other])
    await until(async () => {
      const token = await tokenOf(platform, node).catch(() => '');
      tokens.set(node, token);
      return token !== '';
    }, 60_000);
  const connect = await connector(t, local, tokens);
  const [thief, agent] = [await connect(stolen), await connect(other)];
  assert.deepEqual([thief.status, agent.status], [200, 200]);
  assert.match((await platform.causeway('cluster', 'evicted-nodes', cluster)).stdout, /^none$/m);

  const { code, stdout, stderr } = await platform.causeway('cluster', 'evict-node', cluster, stolen);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^joined-1 is shut out of tunneling/);
  await thief.conversation.ended;
  assert.equal(agent.conversation.isOver, false);
  assert.equal((await connect(stolen)).headers['causeway-refusal'], 'evicted-node');
  assert.equal((await connect(other)).status, 200);
  await assert.rejects(tokenOf(platform, stolen));
  assert.match(await platform.kubectl(cluster, ['get', 'nodes', '-o', 'name']), /^node\/joined-2$/m);
  assert.match((await platform.causeway('cluster', 'evicted-nodes', cluster)).stdout, /^joined-1 +20\d\d-/m);
  assert.deepEqual(keysNow(), before);

  assert.equal((await platform.causeway('cluster', 'readmit-node', cluster, stolen)).code, 0);
  // The stolen token is of no use still.
  assert.equal((await connect(stolen)).headers['causeway-refusal'], 'evicted-node');
  await platform.kubectl(cluster, ['delete', 'node', other]);
}

async function tokenOf(platform: Running, node: string): Promise<string> {
  const secret = ['-n', 'kube-system', 'get', 'secret', `causeway-node-agent-${node}`, '-o', 'jsonpath={.data.token}'];
  return Buffer.from(await platform.kubectl(cluster, secret), 'base64').toString();
}

/** Connections as the agent of a node makes them. */
async function connector(t: Undo, local: LocalPlatform, tokens: ReadonlyMap<string, string>) {
  const { planned } = await reviewPath(local.directory);
  const tunnel = planned?.plan.endpoints[cluster]?.tunnel;
  assert.ok(tunnel);
  const ca = readFileSync(local.at('.causeway/gateways/local/gateway-ca.crt'), 'utf8');
  const servername = tunnel.sni ?? tunnel.host;
  return async (node: string) => {
    const place = { host: `${local.network}.0.2`, port: tunnel.port };
    const connection = await tunnelTo(place, { servername, ca });
    t.after(() => connection.close());
    return connection.connect(tunnel.authority, bearer(tokens.get(node) ?? ''));
  };
}

function manifest(local: LocalPlatform, node: string): string {
  const file = local.at('.causeway', `${node}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: node } }));
  return file;
}
