import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JoinedWorkers as Desired, NodeName } from '../../control-plane/index.ts';
import { KubeError } from '../../kube/index.ts';
import { manifestDirectory, manifestReader } from '../../manifests/index.ts';
import { verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import { localRuntime } from '../../runtime/local/capabilities.ts';
import { machineOf } from '../../runtime/local/index.ts';
import type { ControlPlane } from '../../runtime/platform-runtime.ts';
import { silentLog } from '../../sys/log.ts';
import type { Planned } from '../cluster/cluster-input.ts';
import type { HostedCluster } from '../cluster/hosted-cluster.ts';
import { Evictions } from './evictions.ts';
import { JoinedWorkers } from './joined-workers.ts';

const example = fileURLToPath(new URL('../../../examples/local', import.meta.url));
const hour = 3_600_000;
const starting = verdictFalse('Starting', 'etcd starts');

interface Scene {
  readonly own: JoinedWorkers;
  readonly evictions: Evictions;
  /** "shut out n1 of tunneling", "token for n1 of tunneling" … in order. */
  readonly asked: string[];
  /** Of the cluster tunneling. */
  readonly nodes: NodeName[];
  readonly controlPlane: ControlPlane;
  /** What each cluster was given, in order. */
  readonly given: [cluster: string, wanted: Desired][];
}

const noNode = new KubeError(404, 'nodes "n9" not found');

/** Two control planes of which one is known to have machines of others, and one that is not ready. */
async function scene(t: { after(undo: () => unknown): void }, shared = true): Promise<Scene> {
  const manifests = mkdtempSync(path.join(tmpdir(), 'cw-own-'));
  t.after(() => rmSync(manifests, { recursive: true, force: true }));
  cpSync(example, manifests, { recursive: true });
  const planned = (await manifestReader(manifestDirectory(manifests), { runtime: localRuntime })()).planned as Planned;
  const given: Scene['given'] = [];
  const asked: string[] = [];
  const nodes: NodeName[] = [];
  const evictions = new Evictions({ read: () => undefined, write: () => {} });
  const hostedCluster = (name: string, has: boolean, ready = true): [string, HostedCluster] => {
    const controlPlane = {
      hasJoinedWorkers: async () => has,
      hasSharedToken: async () => shared,
      applyJoinedWorkers: async (wanted: Desired) => void given.push([name, wanted]),
      applyEvictions: async (out: readonly string[]) =>
        void (out.length > 0 && asked.push(`shut out ${out} of ${name}`)),
      revokeJoinTokens: async () => void asked.push(`no join token of ${name}`),
      joinedNodes: () => (name === 'tunneling' ? nodes : []),
      giveNodeToken: async (node: NodeName) => void asked.push(`token for ${node.name} of ${name}`),
      nodeToken: async (node: string) => {
        if (!nodes.some((one) => one.name === node)) throw noNode;
        return { token: `bound to ${node}`, expiresAt: 1 };
      },
    };
    return [
      name,
      { controlPlane, controlPlaneReady: () => (ready ? verdictTrue() : starting) } as unknown as HostedCluster,
    ];
  };
  const hosted = new Map([
    hostedCluster('tunneling', true),
    hostedCluster('nodeport', false),
    hostedCluster('single-port', true, false),
  ]);
  const own = new JoinedWorkers({
    runtime: machineOf({ directory: manifests }),
    log: silentLog,
    planned: () => planned,
    hosted: () => hosted,
    keysOf: () => ({ token: signed }) as never,
    evictions,
  });
  t.after(() => own.stop());
  const { controlPlane } = hosted.get('tunneling') as HostedCluster;
  return { own, given, asked, nodes, evictions, controlPlane };
}

const signed = (cluster: string, ttlMs: number, node = 'all'): string => `${cluster} for ${ttlMs / hour} h, ${node}`;

test('each node that others brought gets a token of its own in time, and again when it comes anew', async (t) => {
  const { own, asked, nodes } = await scene(t);
  nodes.push({ name: 'n1', uid: 'a' }, { name: 'n2', uid: 'b' });
  const now = Date.now();
  await own.renewDue(now);
  await own.renewDue(now + hour);
  assert.deepEqual(asked, ['token for n1 of tunneling', 'token for n2 of tunneling']);
  nodes[0] = { name: 'n1', uid: 'c' };
  await own.renewDue(now + hour);
  assert.deepEqual(asked.slice(2), ['token for n1 of tunneling']);
  await own.renewDue(now + 6 * hour);
  assert.deepEqual(asked.slice(3), ['token for n2 of tunneling']);
});

test('a node that was evicted gets none, and neither does anybody get one for all', async (t) => {
  const { own, asked, nodes, given, evictions, controlPlane } = await scene(t);
  nodes.push({ name: 'n1', uid: 'a' }, { name: 'n2', uid: 'b' });
  evictions.evict('tunneling', 'n1', Date.now());
  await own.applyEvictions('tunneling', true);
  assert.deepEqual(asked, ['no join token of tunneling', 'shut out n1 of tunneling', 'token for n2 of tunneling']);
  assert.deepEqual(
    given.map(([, { sharedToken }]) => sharedToken),
    [undefined],
  );
  await assert.rejects(own.tokenFor('tunneling', 'n1', hour, controlPlane), { code: 'CW-NODE-EVICTED' });
  evictions.readmit('tunneling', 'n1', Date.now());
  await own.applyEvictions('tunneling', false);
  assert.deepEqual(asked.slice(3), ['token for n1 of tunneling']);
  assert.equal((await own.tokenFor('tunneling', 'n1', hour, controlPlane)).token, 'bound to n1');
});

test('an API server that could not be told of an eviction is told as soon as it answers', async (t) => {
  const { own, asked, evictions, controlPlane } = await scene(t);
  await own.renewDue(Date.now());
  evictions.evict('tunneling', 'n1', Date.now());
  const { revokeJoinTokens } = controlPlane;
  controlPlane.revokeJoinTokens = () => Promise.reject(new Error('not now'));
  await assert.rejects(own.applyEvictions('tunneling', true), /not now/);
  controlPlane.revokeJoinTokens = revokeJoinTokens;
  await own.renewDue(Date.now());
  assert.deepEqual(asked, ['no join token of tunneling', 'shut out n1 of tunneling']);
});

test('the agent of a node that is not there yet gets a token that names it and ends soon', async (t) => {
  const { own, controlPlane } = await scene(t);
  const { token, expiresAt } = await own.tokenFor('tunneling', 'n9', hour, controlPlane);
  assert.equal(token, `tunneling for ${1 / 60} h, n9`);
  assert.ok(expiresAt <= Date.now() + 60_000);
});

test('a cluster whose nodes never had a token in common is not given one', async (t) => {
  const { own, given } = await scene(t, false);
  await own.renewDue(Date.now());
  assert.deepEqual(
    given.map(([, { sharedToken }]) => sharedToken),
    [undefined],
  );
});

test('clusters with machines of others get a new token in time, and no other cluster gets anything', async (t) => {
  const { own, given } = await scene(t);
  await own.renewDue(Date.now());
  assert.deepEqual(
    given.map(([cluster, { sharedToken }]) => [cluster, sharedToken]),
    [['tunneling', 'tunneling for 72 h, all']],
  );
  await own.renewDue(Date.now() + hour);
  assert.equal(given.length, 1);
  await own.renewDue(Date.now() + 7 * hour);
  assert.equal(given.length, 2);
});

test('the konnectivity agent is the image that the allow-list names', async (t) => {
  const { own, given } = await scene(t);
  await own.renewDue(Date.now());
  assert.match(given[0]?.[1].image ?? '', /^registry\.k8s\.io\/kas-network-proxy\/proxy-agent:v\d+\.\d+\.\d+$/);
});

test('what cannot be joined is said, with why', async (t) => {
  const { own } = await scene(t);
  await assert.rejects(own.join('tuneling', hour), { code: 'CW-UP-NO-CLUSTER', fix: 'did you mean tunneling?' });
  await assert.rejects(own.join('loadbalancer', hour), { code: 'CW-UP-NO-KUBECONFIG' });
  await assert.rejects(own.join('single-port', hour), {
    code: 'CW-JOIN-NOT-READY',
    message: 'nothing can join single-port yet: etcd starts',
  });
});
