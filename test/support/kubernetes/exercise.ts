// What people and pods do with a cluster, the same over every way in.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { createUndoList } from '../gateway/undo.ts';
import type { Cluster } from './cluster.ts';
import type { Kubectl } from './kubectl.ts';

let exercises = 0;

/** get --raw, watch, apply, get: what the watch shows is what was applied. */
export async function exercise(kubectl: Kubectl): Promise<void> {
  const undo = createUndoList();
  const name = `exercise-${++exercises}`;
  try {
    const version = JSON.parse(await kubectl(['get', '--raw', '/version'])) as { gitVersion: string };
    assert.match(version.gitVersion, /^v1\./);
    const watch = kubectl.watch(undo, ['get', 'configmaps', '-l', `exercise=${name}`, '-o', 'name', '--watch']);
    assert.match(await kubectl(['apply', '-f', '-'], JSON.stringify(configMap(name, 'first'))), /created/);
    assert.equal(await watch.line(), `configmap/${name}`);
    assert.match(await kubectl(['apply', '-f', '-'], JSON.stringify(configMap(name, 'second'))), /configured/);
    assert.equal(await watch.line(), `configmap/${name}`);
    assert.equal(await kubectl(['get', 'configmap', name, '-o', 'jsonpath={.data.text}']), 'second');
  } finally {
    await undo.run();
  }
}

const configMap = (name: string, text: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels: { exercise: name } },
  data: { text },
});

/** Many ConfigMaps of 4 KiB, made directly at the API server: a list of them is some megabytes. */
export async function fill(cluster: Cluster, namespace: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: cluster.authority.cert });
  await post(cluster, agent, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  let next = 0;
  const work = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `many-${number}` }, data: { text } };
      await post(cluster, agent, `/api/v1/namespaces/${namespace}/configmaps`, body);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  agent.destroy();
}

const text = 'x'.repeat(4096);

function post({ apiServer, token }: Cluster, agent: Agent, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: apiServer.port, method: 'POST', path, headers, agent }, (response) => {
      response.resume().once('end', resolve);
      if (response.statusCode !== 201) reject(new Error(`${path}: ${response.statusCode}`));
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

/** A large list, counted. */
export async function listMany(kubectl: Kubectl, namespace: string, count: number): Promise<void> {
  const answer = await kubectl(['get', '--raw', `/api/v1/namespaces/${namespace}/configmaps`]);
  const { items } = JSON.parse(answer) as { items: { data: { text: string } }[] };
  assert.equal(items.length, count);
  assert.ok(items.every(({ data }) => data.text === text));
}
