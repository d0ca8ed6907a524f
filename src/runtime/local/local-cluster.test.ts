import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeClusterState } from '../../control-plane/index.ts';
import { localCluster } from './local-cluster.ts';
import { homeIn, samplePorts, scratchDirectory } from './testing/place.ts';

test('a cluster is removed with its own directories, and with nothing of a neighbour or of its backups', async (t) => {
  const home = homeIn(scratchDirectory(t));
  const cluster = localCluster({ cluster: 'web', home, ports: samplePorts });
  const neighbour = path.join(path.dirname(home.root), 'neighbour');
  for (const directory of [home.pki, home.backups, neighbour]) mkdirSync(directory, { recursive: true });
  await cluster.remove();
  assert.deepEqual([home.root, home.backups, neighbour].map(existsSync), [false, true, true]);
});

test('a cluster has data when its etcd has a member, and its state is a file beside it', async (t) => {
  const home = homeIn(scratchDirectory(t));
  const { store, hasData } = localCluster({ cluster: 'web', home, ports: samplePorts });
  assert.equal(await hasData(), false);
  await writeClusterState(store, { strategy: 'Tunneling', kubernetesVersion: '1.36.1' });
  assert.equal(await hasData(), false);
  mkdirSync(path.join(home.etcd, 'member'), { recursive: true });
  assert.equal(await hasData(), true);
  const text = readFileSync(path.join(home.root, 'state.json'), 'utf8');
  assert.equal(text, '{"strategy":"Tunneling","kubernetesVersion":"1.36.1"}\n');
});

test('a cluster is reached at ports of loopback that were chosen for it', () => {
  const cluster = localCluster({ cluster: 'web', home: homeIn('/home'), ports: samplePorts });
  assert.equal(cluster.addressOf('kube-apiserver', 'https'), '127.0.0.1:21004');
  assert.throws(() => cluster.addressOf('kube-apiserver', 'other'), /no port is chosen for other/);
});
