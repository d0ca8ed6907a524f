// Control planes as objects of Kubernetes before its own programs: a real API server checks every field, real controllers
// and a real scheduler bring them to Ready on nodes that run nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dump } from 'js-yaml';
import type { KubeClient, KubeError, KubeObject } from '../../src/kube/index.ts';
import { type KubernetesInput, kubernetesObjects } from '../../src/runtime/kubernetes/index.ts';
import { judgeReferences } from '../../src/runtime/kubernetes/testing/references.ts';
import { controllersIn, servicesIn } from '../../src/runtime/kubernetes/testing/rendered.ts';
import { undoAfter } from '../support/gateway/undo.ts';
import { until } from '../support/gateway/until.ts';
import { assertGolden } from '../support/golden.ts';
import { startCluster } from '../support/kubernetes/cluster.ts';
import { exampleControlPlane, highlyAvailableControlPlane } from '../support/kubernetes/example-control-planes.ts';
import { clientOf, type Seed, startSeed, storageClass } from '../support/kubernetes/seed.ts';
import { needProgram } from '../support/programs.ts';
import { needReal } from '../support/real-programs.ts';
import { scratchDirectory } from '../support/rendered.ts';

const inputs = {
  local: await exampleControlPlane(),
  'highly-available': await highlyAvailableControlPlane(),
};

for (const [name, input] of Object.entries(inputs))
  test(`the objects of a control plane are exactly these (${name})`, () => {
    const objects = kubernetesObjects(input);
    const text = objects.map((object) => dump(object, { lineWidth: -1, noRefs: true })).join('---\n');
    assertGolden(new URL(`../golden/kubernetes/${name}.yaml`, import.meta.url), text);
    assert.deepEqual(judgeReferences(objects).problems, []);
  });

const strictly = { fieldManager: 'causeway-test', dryRun: true, strict: true } as const;
const isNamespace = ({ kind }: KubeObject): boolean => kind === 'Namespace';

test('a real API server takes all objects, strictly', { timeout: 180_000 }, async (t) => {
  const real = await needReal(t, 'etcd', 'kube-apiserver');
  if (real === undefined || needProgram(t, 'openssl') === undefined) return;
  const undo = undoAfter(t);
  const client = clientOf(undo, await startCluster(undo, real, 'strict', scratchDirectory(t)));

  for (const [name, input] of Object.entries(inputs))
    await t.test(`of a control plane (${name}), by server-side apply as a dry run`, async () => {
      const objects = kubernetesObjects(input);
      // What is in a namespace that does not exist is refused.
      for (const object of objects.filter(isNamespace)) await client.apply(object, { ...strictly, dryRun: false });
      const answers = await Promise.all(objects.map((object) => client.apply(object, strictly)));
      assert.deepEqual(
        answers.map(({ kind, metadata }) => [kind, metadata.name]),
        objects.map(({ kind, metadata }) => [kind, metadata.name]),
      );
    });

  await t.test('and refuses a field that it does not know', async () => {
    const [policy] = kubernetesObjects(inputs.local).filter(({ kind }) => kind === 'NetworkPolicy');
    const wrong = { ...policy, spec: { podSelector: {}, policyTypse: ['Ingress'] } } as unknown as KubeObject;
    await assert.rejects(client.apply(wrong, strictly), /policyTypse/);
  });
});

interface Status {
  readonly status?: Readonly<Record<string, unknown>>;
}

/** All that is wanted is there, ready and of the newest revision. */
async function isReady(client: KubeClient, input: KubernetesInput): Promise<boolean> {
  const paths = controllersIn(kubernetesObjects(input)).map(async (wanted) => {
    const { metadata, status } = (await client.get<KubeObject & Status>(await client.pathOf(wanted))) ?? {};
    const { replicas } = wanted.spec;
    const isObserved = status?.observedGeneration === metadata?.generation;
    return (
      isObserved && [status?.replicas, status?.readyReplicas, status?.updatedReplicas].every((n) => n === replicas)
    );
  });
  return (await Promise.all(paths)).every(Boolean);
}

async function becomesReady({ client, said }: Seed, input: KubernetesInput): Promise<void> {
  await until(() => isReady(client, input), 90_000).catch(async (error: Error) => {
    const events = await client.list<KubeObject>(`/api/v1/namespaces/${input.namespace}/events`);
    const told = events.map(({ reason, message }) => `${reason}: ${message}`);
    throw new Error(`${error.message}\n${[...new Set(told)].join('\n')}\n${said()}`);
  });
}

interface Slice extends KubeObject {
  readonly endpoints: readonly { readonly conditions: { readonly ready: boolean } }[] | null;
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

const endpointsOf = async (client: KubeClient, namespace: string, service: string): Promise<Slice[]> =>
  client.list<Slice>(
    `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=kubernetes.io/service-name=${service}`,
  );
const readyEndpoints = async (client: KubeClient, namespace: string, service: string): Promise<number> =>
  (await endpointsOf(client, namespace, service))
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions.ready).length;

test('controllers and scheduler bring control planes to Ready', { timeout: 400_000 }, async (t) => {
  const real = await needReal(t, 'etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok');
  if (real === undefined || needProgram(t, 'openssl') === undefined) return;
  const undo = undoAfter(t);
  const seed = await startSeed(undo, real, scratchDirectory(t), { nodes: 4, volumes: 6 });
  const { client } = seed;
  const apply = async (input: KubernetesInput): Promise<void> => {
    for (const object of kubernetesObjects(input)) await client.apply(object, { strict: true });
  };
  const onSeed = (input: KubernetesInput): KubernetesInput => ({ ...input, storageClass });
  const [local, available] = [onSeed(inputs.local), onSeed(inputs['highly-available'])];
  const podsOf = (namespace: string, workload: string): Promise<KubeObject[]> =>
    client.list(`/api/v1/namespaces/${namespace}/pods?labelSelector=app.kubernetes.io/name=${workload}`);

  await t.test('with as many replicas as are wanted, of one of each and of a highly available one', async () => {
    await Promise.all([apply(local), apply(available)]);
    await becomesReady(seed, local);
    await becomesReady(seed, available);
  });

  await t.test('with the volumes of the store bound, and its members on nodes of their own', async () => {
    const claims = await client.list<KubeObject & Status>(
      `/api/v1/namespaces/${available.namespace}/persistentvolumeclaims`,
    );
    assert.deepEqual(
      claims.map(({ metadata, status }) => [metadata.name, status?.phase]),
      [0, 1, 2].map((at) => [`data-etcd-${at}`, 'Bound']),
    );
    const nodes = (await podsOf(available.namespace, 'etcd')).map(
      ({ spec }) => (spec as { nodeName: string }).nodeName,
    );
    assert.equal(new Set(nodes).size, 3);
  });

  for (const input of [local, available])
    await t.test(`with every Service leading to all pods of its workload (${input.cluster})`, async () => {
      const objects = kubernetesObjects(input);
      for (const { metadata, spec } of servicesIn(objects)) {
        const [replicas] = controllersIn(objects)
          .filter((each) => each.metadata.name === spec.selector['app.kubernetes.io/name'])
          .map((each) => each.spec.replicas);
        await until(async () => (await readyEndpoints(client, input.namespace, metadata.name)) === replicas);
        const [slice] = await endpointsOf(client, input.namespace, metadata.name);
        assert.deepEqual(
          slice?.ports.map(({ name, port }) => [name, port]).sort(),
          spec.ports?.map(({ name, port }) => [name, port]).sort(),
        );
      }
    });

  await t.test('and a pod with rights is refused beside them', async () => {
    const pod = { metadata: { name: 'privileged' }, spec: { containers: [{ name: 'it', image: 'it' }] } };
    await assert.rejects(
      client.post(`/api/v1/namespaces/${local.namespace}/pods`, { apiVersion: 'v1', kind: 'Pod', ...pod }),
      (error: KubeError) => error.status === 403 && /restricted/.test(error.message),
    );
  });

  /** As the kubelet says it when a probe fails. */
  const fails = async (namespace: string, name: string): Promise<void> => {
    const status = { conditions: [{ type: 'Ready', status: 'False', reason: 'ProbeFailed' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, status };
    await client.apply(pod, { subresource: 'status' });
  };
  const restart = async (input: KubernetesInput, name: string): Promise<void> => {
    await client.remove(`/api/v1/namespaces/${input.namespace}/pods/${name}`);
    await becomesReady(seed, input);
  };

  await t.test('and while one member of the store is away, no other may be taken away', async () => {
    const { namespace } = available;
    const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/etcd`;
    const allowed = async (): Promise<unknown> =>
      (await client.get<KubeObject & Status>(path))?.status?.disruptionsAllowed;
    await until(async () => (await allowed()) === 1);
    await fails(namespace, 'etcd-0');
    await until(async () => (await allowed()) === 0);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'etcd-1', namespace } };
    await assert.rejects(
      client.post(`/api/v1/namespaces/${namespace}/pods/etcd-1/eviction`, eviction),
      (error: KubeError) => error.status === 429,
    );
    await restart(available, 'etcd-0');
  });

  await t.test('and an API server that is not ready is reached by agents, and not by clients', async () => {
    const [pod] = await podsOf(local.namespace, 'kube-apiserver');
    const name = pod?.metadata.name ?? '';
    await fails(local.namespace, name);
    await until(async () => (await readyEndpoints(client, local.namespace, 'kube-apiserver')) === 0);
    assert.equal(await readyEndpoints(client, local.namespace, 'konnectivity-server'), 1);
    await restart(local, name);
  });

  await t.test('and only what programs do not read again by themselves starts new pods', async () => {
    const uids = async (workload: string): Promise<string[]> =>
      (await podsOf(available.namespace, workload)).map(({ metadata }) => metadata.uid ?? '').sort();
    const workloads = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
    const all = async (): Promise<Record<string, string[]>> =>
      Object.fromEntries(await Promise.all(workloads.map(async (name) => [name, await uids(name)])));
    const before = await all();
    const oidc = { issuer: 'https://id.example.com', clientId: 'web' };
    await apply(onSeed(await highlyAvailableControlPlane({ oidc })));
    await becomesReady(seed, available);
    assert.deepEqual(await all(), before);

    const marks = new Proxy({}, { get: () => '02' }) as never;
    const renewed = onSeed(await highlyAvailableControlPlane({ oidc, marks }));
    await apply(renewed);
    await until(async () => (await isReady(client, renewed)) && (await uids('kube-apiserver')).length === 2, 60_000);
    const { 'kube-apiserver': servers = [], ...others } = await all();
    const { 'kube-apiserver': old = [], ...same } = before;
    assert.deepEqual(others, same);
    assert.ok(servers.every((uid) => !old.includes(uid)));
  });
});
