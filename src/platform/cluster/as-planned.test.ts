// What `up` starts is what its plan says: numbers and flags, for platforms of every shape.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { controlPlaneWorkloads, joinedWorkerObjects } from '../../control-plane/index.ts';
import { workloadInput } from '../../control-plane/testing/input.ts';
import { manifestDirectory, manifestReader } from '../../manifests/index.ts';
import { noAllocations } from '../../model/index.ts';
import type { Cluster, Model } from '../../model/schema/index.ts';
import { plan as planOf } from '../../plan/index.ts';
import { arbitraryModel } from '../../plan/testing/arbitrary-model.ts';
import { localRuntime } from '../../runtime/local/capabilities.ts';
import { konnectivityAgent, localCluster } from '../../runtime/local/index.ts';
import { homeIn, localInput, samplePorts } from '../../runtime/local/testing/place.ts';
import { controlPlaneInput, isManaged } from './cluster-input.ts';

const home = homeIn('/home');

const replicas = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
/** With numbers of servers at every level that has them. */
const withReplicas = fc.tuple(arbitraryModel(), replicas, replicas).map(
  ([model, all, own]): Model => ({
    ...model,
    platform: { ...model.platform, spec: { ...model.platform.spec, konnectivity: { replicas: all } } },
    clusters: model.clusters.map((cluster) =>
      isManaged(cluster) && own !== undefined
        ? { ...cluster, spec: { ...cluster.spec, controlPlane: { managed: { replicas: own } } } }
        : cluster,
    ),
  }),
);

test('as many API servers and konnectivity servers run as are planned, and tell that number', () => {
  fc.assert(
    fc.property(withReplicas, (model) => {
      const plan = planOf(model, noAllocations, localRuntime);
      for (const cluster of model.clusters.filter(isManaged)) {
        const input = controlPlaneInput({ model, plan }, cluster);
        if (input === undefined) continue;
        const specs = localCluster({ cluster: input.cluster, home, ports: samplePorts }).resolve(
          controlPlaneWorkloads(workloadInput(input)),
        );
        const { server, agent } = input.konnectivity;
        const named = (name: string) => specs.filter((spec) => spec.name === name);
        assert.equal(named('konnectivity-server').length, server.replicas);
        assert.equal(named('kube-apiserver').length, server.replicas);
        for (const { args } of named('konnectivity-server'))
          assert.ok(args.includes(`--server-count=${server.replicas}`));
        assert.equal(server.serverCount, server.replicas);
        assert.equal(agent.syncForever, server.replicas > 1);
        assert.equal(plan.settings.clusters[input.cluster]?.['konnectivity.replicas']?.value, server.replicas);
      }
    }),
    { numRuns: 60 },
  );
});

test('agents look for further servers where there may be some, and only there', () => {
  const { konnectivity } = localInput(home);
  for (const syncForever of [true, false]) {
    const planned = { ...konnectivity.agent, keepalive: '20s', syncForever };
    const layout = { address: '127.40.0.9', ports: {}, files: {} } as Parameters<typeof konnectivityAgent>[0]['layout'];
    const upstream = { serverName: 'gateway', dial: { host: '127.0.0.1', port: 6443 } };
    const { args } = konnectivityAgent({ cluster: 'web', layout, upstream, planned, forwarder: '' });
    const joined = JSON.stringify(
      joinedWorkerObjects({ konnectivity: { ...konnectivity, agent: planned }, image: 'agent' }),
    );
    assert.equal(args.includes('--sync-forever'), syncForever);
    assert.equal(joined.includes('--sync-forever'), syncForever);
    assert.ok(args.includes('--keepalive-time=20s') && joined.includes('--keepalive-time=20s'));
  }
});

test('a platform on this machine is planned for it, whatever its manifests ask for', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-planned-'));
  t.after(() => rmSync(directory, { recursive: true }));
  cpSync(fileURLToPath(new URL('../../../examples/local', import.meta.url)), directory, { recursive: true });
  const file = path.join(directory, 'platform.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/konnectivity: \{.*\}/, 'konnectivity: { replicas: 3 }'));
  const { planned } = await manifestReader(manifestDirectory(directory), { runtime: localRuntime })();
  const { settings, konnectivity } = planned?.plan ?? assert.fail('it cannot be planned');
  assert.deepEqual(settings.clusters.nodeport?.['konnectivity.replicas'], {
    value: 1,
    from: { level: 'runtime', name: 'this machine' },
    overrode: [{ value: 3, from: { level: 'Platform', name: 'example', field: 'spec.konnectivity.replicas' } }],
  });
  assert.equal(konnectivity.nodeport?.server.serverCount, 1);
  assert.equal(konnectivity.nodeport?.agent.replicas, null);
});

test('control planes that something else runs are not limited by this machine', () => {
  fc.assert(
    fc.property(withReplicas, (model) => {
      const [here, there] = [planOf(model, noAllocations, localRuntime), planOf(model)];
      const others = model.clusters.filter((cluster: Cluster) => !isManaged(cluster));
      for (const { metadata } of others)
        assert.deepEqual(here.konnectivity[metadata.name], there.konnectivity[metadata.name]);
    }),
    { numRuns: 40 },
  );
});
