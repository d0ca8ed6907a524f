import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JoinedWorkers as Desired } from '../../control-plane/index.ts';
import { manifestReader } from '../../manifests/index.ts';
import { verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import { localRuntime } from '../../runtime/local/capabilities.ts';
import { machineOf } from '../../runtime/local/index.ts';
import { silentLog } from '../../sys/log.ts';
import type { Planned } from '../cluster/cluster-input.ts';
import type { HostedCluster } from '../cluster/hosted-cluster.ts';
import { JoinedWorkers } from './joined-workers.ts';

const example = fileURLToPath(new URL('../../../examples/local', import.meta.url));
const hour = 3_600_000;
const starting = verdictFalse('Starting', 'etcd starts');

interface Scene {
  readonly own: JoinedWorkers;
  /** What each cluster was given, in order. */
  readonly given: [cluster: string, wanted: Desired][];
}

/** Two control planes of which one is known to have machines of others, and one that is not ready. */
async function scene(t: { after(undo: () => unknown): void }): Promise<Scene> {
  const manifests = mkdtempSync(path.join(tmpdir(), 'cw-own-'));
  t.after(() => rmSync(manifests, { recursive: true, force: true }));
  cpSync(example, manifests, { recursive: true });
  const planned = (await manifestReader(manifests, { runtime: localRuntime })()).planned as Planned;
  const given: Scene['given'] = [];
  const hostedCluster = (name: string, has: boolean, ready = true): [string, HostedCluster] => {
    const controlPlane = {
      hasJoinedWorkers: async () => has,
      applyJoinedWorkers: async (wanted: Desired) => void given.push([name, wanted]),
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
    keysOf: () => ({ token: (cluster: string, ttlMs: number) => `${cluster} for ${ttlMs / hour} h` }) as never,
  });
  t.after(() => own.stop());
  return { own, given };
}

test('clusters with machines of others get a new token in time, and no other cluster gets anything', async (t) => {
  const { own, given } = await scene(t);
  await own.renewDue(Date.now());
  assert.deepEqual(
    given.map(([cluster, { tunnelToken }]) => [cluster, tunnelToken]),
    [['tunneling', 'tunneling for 72 h']],
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
