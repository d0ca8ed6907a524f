// The reflector before a real kube-apiserver and etcd: what breaks between them, and what 10 000 objects cost.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  byLabel,
  byNamespace,
  createKubeClient,
  type KubeClient,
  type KubeObject,
  Reflector,
  Store,
} from '../../src/kube/index.ts';
import { type Undo, undoAfter } from '../support/gateway/undo.ts';
import { until } from '../support/gateway/until.ts';
import { type Cluster, startCluster } from '../support/kubernetes/cluster.ts';
import { needProgram } from '../support/programs.ts';
import { needReal } from '../support/real-programs.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { scratchDirectory } from '../support/rendered.ts';

const path = '/api/v1/configmaps';
const inDefault = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, text: string, namespace = 'default'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { half: name.length % 2 ? 'odd' : 'even' } },
  data: { text },
});

interface Scene {
  readonly cluster: Cluster;
  /** Past the relay. */
  readonly client: KubeClient;
  readonly relay: Relay;
}

function clientOf(t: Undo, { authority, token }: Cluster, port: number): KubeClient {
  const client = createKubeClient({ server: `https://127.0.0.1:${port}`, ca: authority.cert, token });
  t.after(client.close);
  return client;
}

/** Over the relay. */
function reflect(t: Undo, { cluster, relay }: Scene, of = path) {
  const store = new Store<KubeObject>({ indexes: { namespace: byNamespace, half: byLabel('half') } });
  const [told, failures]: [string[], string[]] = [[], []];
  store.handle({
    added: ({ metadata }) => void told.push(`+${metadata.name}`),
    updated: ({ metadata }) => void told.push(`~${metadata.name}`),
    deleted: ({ metadata }) => void told.push(`-${metadata.name}`),
  });
  const [asked, refusals]: [string[], string[]] = [[], []];
  const client = clientOf(t, cluster, relay.port);
  const observed: Pick<KubeClient, 'get' | 'watch'> = {
    get: (one, signal) => {
      asked.push(one);
      return client.get(one, signal);
    },
    watch: async (one, options) => {
      asked.push(one);
      await client.watch(one, options).catch((error: Error) => {
        refusals.push(error.message);
        throw error;
      });
    },
  };
  const reflector = new Reflector<KubeObject>({
    ...{ client: observed, path: of, store, timing: { longestPauseMs: 500 } },
    failed: ({ message }) => void failures.push(message),
  });
  const over = new AbortController();
  const ended = reflector.run(over.signal);
  t.after(async () => {
    over.abort();
    await ended;
  });
  const lists = (): number => asked.filter((one) => !one.includes('&resourceVersion=')).length;
  return { store, told, failures, refusals, reflector, asked, lists };
}

const state = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`).sort();

/** In a function of its own, so that nothing of the list is alive when memory is measured. */
async function assertSame(store: Store<KubeObject>, client: KubeClient, of: string): Promise<void> {
  assert.deepEqual(state(store.list()), state(await client.list(of)));
}

/** One request to etcd's JSON gateway. */
async function askEtcd({ etcd }: Cluster, what: string, body: object): Promise<{ header: { revision: string } }> {
  const response = await fetch(`${etcd}/v3/kv/${what}`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as { header: { revision: string } };
}
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Compaction as etcd does it by itself every few minutes: all history is gone. */
async function compact(cluster: Cluster): Promise<void> {
  const { header } = await askEtcd(cluster, 'range', { key: base64('/') });
  await askEtcd(cluster, 'compaction', { revision: header.revision, physical: true });
}

/** Copies of an object, put into etcd directly: through the API server they would take most of the time of this test. */
async function fill(cluster: Cluster, { metadata, ...rest }: KubeObject, count: number): Promise<void> {
  const { resourceVersion: _, ...common } = metadata;
  const put = (index: number): object => {
    const object = { ...rest, metadata: { ...common, name: `many-${index}`, uid: randomUUID() } };
    const key = `/registry/configmaps/${metadata.namespace}/many-${index}`;
    return { requestPut: { key: base64(key), value: base64(JSON.stringify(object)) } };
  };
  for (let from = 0; from < count; from += 100) {
    const success = Array.from({ length: Math.min(100, count - from) }, (_, index) => put(from + index));
    await askEtcd(cluster, 'txn', { success });
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('a reflector shows what a real API server has', { timeout: 300_000 }, async (t) => {
  const real = await needReal(t, 'etcd', 'kube-apiserver');
  if (real === undefined || needProgram(t, 'openssl') === undefined) return;
  const undo = undoAfter(t);
  const cluster = await startCluster(undo, real, 'reflected', scratchDirectory(t));
  const client = clientOf(undo, cluster, cluster.apiServer.port);
  const scene: Scene = { cluster, client, relay: await startRelay(undo, cluster.apiServer.port) };

  await t.test('by initial events, and a write is seen when its version is', async (t) => {
    const { store, reflector, asked, lists } = reflect(t, scene, inDefault);
    await reflector.synced;
    const made = await client.post(inDefault, configMap('first', 'x'));
    await store.waitFor(made.metadata.resourceVersion ?? '');
    assert.equal(store.get('default/first')?.metadata.uid, made.metadata.uid);
    assert.equal(store.get('default/first')?.metadata.managedFields, undefined);
    assert.deepEqual(state(store.byIndex('half', 'odd')), state([made]));
    await client.remove(`${inDefault}/first`);
    await until(() => store.size === 0);
    assert.match(asked[0] ?? '', /sendInitialEvents=true/);
    assert.equal(lists(), 1);
  });

  await t.test('and goes on where it was when the connection is cut', async (t) => {
    const { store, reflector, told, lists, failures } = reflect(t, scene, inDefault);
    await reflector.synced;
    scene.relay.close();
    await until(() => failures.length > 0);
    const [a, b] = [
      await client.post(inDefault, configMap('a', '1')),
      await client.post(inDefault, configMap('b', '1')),
    ];
    await client.remove(`${inDefault}/a`);
    const changed = await client.apply(configMap('b', '2'));
    scene.relay.open();
    await store.waitFor(changed.metadata.resourceVersion ?? '');
    assert.deepEqual(told, ['+a', '+b', '-a', '~b']);
    assert.equal(lists(), 1, 'it was read once');
    assert.notEqual(a.metadata.uid, b.metadata.uid);
    await client.remove(`${inDefault}/b`);
  });

  await t.test('and reads again when its history was compacted, without losing what was deleted', async (t) => {
    for (const name of ['gone', 'changed', 'same']) await client.post(inDefault, configMap(name, '1'));
    const { store, reflector, told, lists, refusals } = reflect(t, scene, inDefault);
    await reflector.synced;
    scene.relay.close();
    await client.remove(`${inDefault}/gone`);
    await client.apply(configMap('changed', '2'));
    await client.post(inDefault, configMap('new', '1'));
    await compact(cluster);
    // Its cache has more history than etcd; a new one has not.
    await cluster.restart();
    told.length = 0;
    scene.relay.open();
    await until(() => store.get('default/new') !== undefined, 20_000);
    assert.deepEqual(told.sort(), ['+new', '-gone', '~changed']);
    await assertSame(store, client, inDefault);
    assert.match(refusals.join('\n'), /410.*too old resource version/);
    assert.ok(lists() > 1);
  });

  await t.test('and by pages where the server has no initial events', async (t) => {
    await cluster.restart('--feature-gates=WatchList=false');
    const { store, reflector, asked } = reflect(t, scene, inDefault);
    await reflector.synced;
    const made = await client.post(inDefault, configMap('paged', '1'));
    await store.waitFor(made.metadata.resourceVersion ?? '');
    await assertSame(store, client, inDefault);
    assert.ok(asked.some((one) => one.includes('limit=500')));
    await cluster.restart();
  });

  await t.test('also 10 000 objects, through a restart under changes', async (t) => {
    const count = 10_000;
    const text = 'x'.repeat(2_000);
    await client.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'many' } });
    const started = performance.now();
    const first = await client.post('/api/v1/namespaces/many/configmaps', configMap('many-0', text, 'many'));
    await client.remove('/api/v1/namespaces/many/configmaps/many-0');
    assert.ok(first.metadata.managedFields);
    await fill(cluster, first, count);
    t.diagnostic(`${count} objects made in ${seconds(started)} s`);

    const before = heapUsed();
    const listed = performance.now();
    const { store, reflector } = reflect(t, scene);
    await reflector.synced;
    const took = seconds(listed);
    const kept = (heapUsed() - before) / count;
    const json = JSON.stringify(store.byIndex('namespace', 'many')).length / count;
    t.diagnostic(`read in ${took} s; heap per object ${Math.round(kept)} bytes, JSON ${Math.round(json)} bytes`);
    assert.equal(store.byIndex('namespace', 'many').length, count);
    assert.ok(kept < json + 6_000, `${kept} bytes for each`);

    const restarting = cluster.restart();
    await sleep(500);
    await restarting;
    const touched = await client.apply(configMap('many-17', 'after the restart', 'many'));
    await client.remove('/api/v1/namespaces/many/configmaps/many-18');
    await store.waitFor(touched.metadata.resourceVersion ?? '');
    await until(() => store.get('many/many-18') === undefined);
    await assertSame(store, client, path);
    const after = (heapUsed() - before) / count;
    t.diagnostic(`heap per object after the restart ${Math.round(after)} bytes`);
    assert.ok(after < kept * 1.5, `${after} bytes for each after the restart, ${kept} before`);
  });
});

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);
