import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Text, Workload } from '../../control-plane/index.ts';
import { isCausewayError } from '../../core/errors.ts';
import type { KubeObject } from '../../kube/index.ts';
import { managementImages } from '../../plan/index.ts';
import { imageOf, type KubernetesInput, kubernetesObjects, programsWithImage } from './index.ts';
import { gateway, highlyAvailable, single } from './testing/control-planes.ts';
import {
  type ContainerObject,
  type ControllerObject,
  configMapsIn,
  containersIn,
  controllersIn,
  servicesIn,
} from './testing/rendered.ts';

const ofKind = (objects: readonly KubeObject[], kind: string): KubeObject[] =>
  objects.filter((object) => object.kind === kind);
const named = <Named extends KubeObject>(objects: readonly Named[], name: string): Named =>
  objects.find(({ metadata }) => metadata.name === name) ?? assert.fail(`there is no ${name}`);
const controller = (input: KubernetesInput, name: string): ControllerObject =>
  named(controllersIn(kubernetesObjects(input)), name);
const container = (input: KubernetesInput, workload: string, name = workload): ContainerObject =>
  containersIn(controller(input, workload)).find((each) => each.name === name) ?? assert.fail(name);
const changed = (input: KubernetesInput, name: string, change: (workload: Workload) => Workload): KubernetesInput => ({
  ...input,
  workloads: input.workloads.map((workload) => (workload.name === name ? change(workload) : workload)),
});
const withMain = (workload: Workload, changes: Partial<Container>): Workload => ({
  ...workload,
  containers: workload.containers.map((each, at) => (at === 0 ? { ...each, ...changes } : each)),
});

describe('the objects of a control plane', () => {
  it('are the same for the same workloads, in their order and to the byte', () => {
    assert.equal(JSON.stringify(kubernetesObjects(single())), JSON.stringify(kubernetesObjects(single())));
  });

  it('are in the namespace of the cluster, which takes restricted pods only', () => {
    const [namespace, ...others] = kubernetesObjects(single());
    assert.deepEqual(
      [namespace?.kind, namespace?.metadata.name, namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce']],
      ['Namespace', 'cluster-web', 'restricted'],
    );
    assert.ok(others.every(({ metadata }) => metadata.namespace === 'cluster-web'));
  });

  it('have no Secret, and refer to those that somebody with the keys makes', () => {
    const objects = kubernetesObjects(highlyAvailable());
    assert.deepEqual(ofKind(objects, 'Secret'), []);
    assert.doesNotMatch(JSON.stringify(objects), /PRIVATE KEY|BEGIN CERTIFICATE|stringData/);
  });

  it('let nobody in but whom a workload names, and the gateway by its namespace and its labels', () => {
    const policies = ofKind(kubernetesObjects(single()), 'NetworkPolicy');
    assert.deepEqual(named(policies, 'default-deny').spec, { podSelector: {}, policyTypes: ['Ingress'] });
    assert.deepEqual(
      policies.map(({ metadata }) => metadata.name),
      ['default-deny', 'etcd', 'kube-apiserver'],
    );
    const pods = (name: string): object => ({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': 'web' } },
    });
    const entry = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': gateway.namespace } },
      podSelector: { matchLabels: gateway.labels },
    };
    assert.deepEqual((named(policies, 'kube-apiserver').spec as { ingress: object }).ingress, [
      {
        ports: [{ port: 6443, protocol: 'TCP' }],
        from: [entry, pods('kube-controller-manager'), pods('kube-scheduler')],
      },
      { ports: [{ port: 8132, protocol: 'TCP' }], from: [entry] },
    ]);
  });

  it('keep one of several replicas through a disruption, and members of the store on nodes of their own', () => {
    const budgets = (input: KubernetesInput): string[] =>
      ofKind(kubernetesObjects(input), 'PodDisruptionBudget').map(({ metadata }) => metadata.name);
    assert.deepEqual(budgets(single()), []);
    assert.deepEqual(budgets(highlyAvailable()), [
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
    ]);
    const spread = (input: KubernetesInput, name: string): string[] =>
      Object.keys(controller(input, name).spec.template.spec).filter((field) => /affinity|topology/.test(field));
    assert.deepEqual(spread(single(), 'etcd'), []);
    assert.deepEqual(spread(highlyAvailable(), 'etcd'), ['affinity', 'topologySpreadConstraints']);
    assert.deepEqual(spread(highlyAvailable(), 'kube-apiserver'), ['topologySpreadConstraints']);
  });
});

describe('pods', () => {
  it('have no rights, no token and nothing to write to but their volumes', () => {
    for (const { spec, metadata } of controllersIn(kubernetesObjects(highlyAvailable()))) {
      const pod = spec.template.spec as unknown as Record<string, unknown>;
      assert.equal(pod.automountServiceAccountToken, false, metadata.name);
      assert.equal((pod.securityContext as Record<string, unknown>).runAsNonRoot, true, metadata.name);
    }
    for (const each of controllersIn(kubernetesObjects(single())).flatMap(containersIn)) {
      const { capabilities, ...rest } = each.securityContext as { capabilities: object };
      assert.deepEqual(rest, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true }, each.name);
      // The kernel refuses to start the publisher's program without it.
      const add = each.name === 'kube-apiserver' ? { add: ['NET_BIND_SERVICE'] } : {};
      assert.deepEqual(capabilities, { drop: ['ALL'], ...add }, each.name);
    }
  });

  it('see the keys that they name, and no others', () => {
    const { volumes } = controller(single(), 'kube-apiserver').spec.template.spec;
    const files = (name: string): string[] =>
      (volumes.find((volume) => volume.name === name)?.projected?.sources ?? []).flatMap(
        ({ secret }) => secret?.items.map(({ path }) => path) ?? [],
      );
    assert.ok(files('secrets-kube-apiserver').includes('service-account/sa.key'));
    assert.deepEqual(files('secrets-konnectivity-server'), [
      'konnectivity/tls.crt',
      'konnectivity/tls.key',
      'ca/tls.crt',
      'konnectivity-server/tls.crt',
      'konnectivity-server/tls.key',
    ]);
  });

  it('listen for the kubelet and for whom is let in; everything else stays inside of the pod', () => {
    const flags = (name: string): string[] =>
      container(single(), 'kube-apiserver', name).args.filter((arg) => arg.includes('bind-address'));
    assert.deepEqual(flags('kube-apiserver'), ['--bind-address=0.0.0.0']);
    assert.deepEqual(flags('konnectivity-server'), [
      '--agent-bind-address=0.0.0.0',
      '--admin-bind-address=127.0.0.1',
      '--health-bind-address=0.0.0.0',
    ]);
  });

  it('are started anew for what their programs read once only, and not for what they read again', () => {
    const checksum = (input: KubernetesInput, name = 'kube-apiserver'): string | undefined =>
      controller(input, name).spec.template.metadata.annotations['causeway.dev/restart-checksum'];
    const authentication = (input: KubernetesInput): string | undefined =>
      named(configMapsIn(kubernetesObjects(input)), 'kube-apiserver').data['authentication.json'];
    const oidc = single({ oidc: { issuer: 'https://id.example.com', clientId: 'web' } });
    assert.notEqual(authentication(oidc), authentication(single()));
    assert.equal(checksum(oidc), checksum(single()));
    const renewed = single({ marks: new Proxy({}, { get: () => '02' }) as never });
    assert.notEqual(checksum(renewed), checksum(single()));
    assert.equal(checksum(renewed, 'etcd'), checksum(single(), 'etcd'));
    const audited = changed(single(), 'kube-apiserver', (workload) =>
      withMain(workload, {
        mounts: workload.containers[0]?.mounts.map((mount) =>
          mount.name === 'audit-policy.json' ? { ...mount, content: { text: 'another policy' } } : mount,
        ) as Container['mounts'],
      }),
    );
    assert.notEqual(checksum(audited), checksum(single()));
  });

  it('have time to end: the workload, and after it its sidecars', () => {
    const grace = (name: string): unknown =>
      (controller(single(), name).spec.template.spec as unknown as Record<string, unknown>)
        .terminationGracePeriodSeconds;
    assert.deepEqual([grace('kube-apiserver'), grace('kube-scheduler')], [30, 10]);
  });
});

describe('the API server', () => {
  const { initContainers = [], containers } = controller(single(), 'kube-apiserver').spec.template.spec;

  it('lives on while the store is away, and is not ready then', () => {
    const { livenessProbe, startupProbe, readinessProbe } = container(single(), 'kube-apiserver');
    const paths = [livenessProbe, startupProbe, readinessProbe].map((probe) => probe?.httpGet?.path);
    assert.deepEqual(paths, ['/livez?exclude=etcd', '/livez?exclude=etcd', '/readyz']);
  });

  it('has the konnectivity server as a sidecar that starts before it and ends after it', () => {
    assert.deepEqual(
      initContainers.map(({ name, restartPolicy }) => [name, restartPolicy]),
      [['konnectivity-server', 'Always']],
    );
    assert.deepEqual(
      containers.map(({ name }) => name),
      ['kube-apiserver'],
    );
  });

  it('is found when it is ready, its konnectivity server before: agents make it ready', () => {
    const services = servicesIn(kubernetesObjects(single()));
    const publishes = (name: string): boolean => named(services, name).spec.publishNotReadyAddresses ?? false;
    assert.deepEqual([publishes('kube-apiserver'), publishes('konnectivity-server')], [false, true]);
    const ports = (name: string) =>
      named(services, name).spec.ports?.map(({ name: port, port: number }) => [port, number]);
    assert.deepEqual(ports('kube-apiserver'), [['https', 6443]]);
    assert.deepEqual(ports('konnectivity-server'), [['konnectivity', 8132]]);
  });

  it('is there throughout an update; of controllers that elect no leader there are never two', () => {
    const strategy = (input: KubernetesInput, name: string): unknown =>
      (controller(input, name).spec.strategy as { type: string }).type;
    assert.equal(strategy(single(), 'kube-apiserver'), 'RollingUpdate');
    assert.equal(strategy(single(), 'kube-controller-manager'), 'Recreate');
    assert.equal(strategy(highlyAvailable(), 'kube-controller-manager'), 'RollingUpdate');
  });
});

describe('the store', () => {
  const members = (input: KubernetesInput): string | undefined =>
    container(input, 'etcd').args.find((arg) => arg.startsWith('--initial-cluster='));

  it('is a StatefulSet whose members start together and find each other before they are ready', () => {
    const { kind, spec } = controller(highlyAvailable(), 'etcd');
    assert.deepEqual([kind, spec.podManagementPolicy, spec.serviceName], ['StatefulSet', 'Parallel', 'etcd']);
    const service = named(servicesIn(kubernetesObjects(highlyAvailable())), 'etcd').spec;
    assert.deepEqual([service.clusterIP, service.publishNotReadyAddresses], ['None', true]);
  });

  it('knows its members by name, and each its own', () => {
    const host = 'etcd.cluster-web.svc.cluster.local:2380';
    assert.equal(members(single()), `--initial-cluster=etcd-0=https://etcd-0.${host}`);
    assert.equal(
      members(highlyAvailable()),
      `--initial-cluster=${[0, 1, 2].map((at) => `etcd-${at}=https://etcd-${at}.${host}`).join(',')}`,
    );
    assert.ok(container(single(), 'etcd').args.includes('--name=$(POD_NAME)'));
  });

  it('keeps its volume when it is removed or made smaller', () => {
    const { spec } = controller({ ...single(), storageClass: 'fast' }, 'etcd');
    assert.deepEqual(spec.persistentVolumeClaimRetentionPolicy, { whenDeleted: 'Retain', whenScaled: 'Retain' });
    const claims = spec.volumeClaimTemplates as unknown as { readonly spec: Record<string, unknown> }[];
    assert.deepEqual(
      claims.map((claim) => claim.spec.storageClassName),
      ['fast'],
    );
  });
});

describe('images', () => {
  it('are of the version of the program, or of the one that it is tried with', () => {
    assert.equal(container(single(), 'kube-apiserver').image, 'registry.k8s.io/kube-apiserver:v1.36.3');
    assert.equal(container(single(), 'etcd').image, 'registry.k8s.io/etcd:3.7.3-0');
  });

  it('come from a mirror, with its credentials, where there is one', () => {
    const images = { registry: 'registry.example.com:5000/k8s', pullSecret: 'mirror' };
    const { spec } = controller({ ...single(), images }, 'kube-apiserver').spec.template;
    const [konnectivity] = spec.initContainers ?? [];
    assert.equal(konnectivity?.image, 'registry.example.com:5000/k8s/kas-network-proxy/proxy-server:v0.34.0');
    assert.deepEqual((spec as unknown as Record<string, unknown>).imagePullSecrets, [{ name: 'mirror' }]);
  });

  it('are among those to which the plan opens the way', () => {
    const planned = new Set(
      managementImages.flatMap(({ images = [] }) => (typeof images === 'function' ? [] : images)),
    );
    for (const name of programsWithImage) {
      const repository = imageOf({ name }).reference.replace(/:[^:]*$/, '');
      assert.ok(planned.has(repository), repository);
    }
  });
});

describe('a workload that cannot run on Kubernetes', () => {
  const refused = (input: KubernetesInput, message: RegExp): void =>
    assert.throws(
      () => kubernetesObjects(input),
      (error: Error) => {
        assert.ok(isCausewayError(error), error.stack);
        assert.match(error.message, message);
        return true;
      },
    );
  const scheduler = (changes: Partial<Container>): KubernetesInput =>
    changed(single(), 'kube-scheduler', (workload) => withMain(workload, changes));

  it('is refused where a name leads nowhere, or there is no image', () => {
    refused(scheduler({ args: [{ ref: 'peer', workload: 'etcd', port: 'client' }] }), /which does not let it in/);
    refused(scheduler({ program: { name: 'kubectl' } }), /kubectl has no image/);
  });

  it('is refused where others are told to come to a port at which nobody is let in', () => {
    const port = (name: string): Text => ({ ref: 'self', port: name });
    refused(scheduler({ args: [port('https')] }), /others are told to come to port https/);
  });

  it('is refused where it names replicas that have no names, or one of them in a config that all share', () => {
    const members = { ref: 'members', port: 'https', scheme: 'https' } as const;
    refused(scheduler({ args: [members] }), /only those of stateful workloads/);
    const own = { kind: 'config', name: 'own', content: { text: { ref: 'replica' } } } as const;
    const configured = (input: KubernetesInput): KubernetesInput =>
      changed(input, 'etcd', (workload) =>
        withMain(workload, { mounts: [...(workload.containers[0]?.mounts ?? []), own] }),
      );
    refused(configured(highlyAvailable()), /its config names one replica/);
    assert.equal(named(configMapsIn(kubernetesObjects(configured(single()))), 'etcd').data.own, 'etcd-0');
  });

  it('is refused where it keeps data without being stateful, or where the name of a Service is taken', () => {
    const keeping = changed(single(), 'kube-scheduler', (workload) => ({
      ...withMain(workload, {
        mounts: [...(workload.containers[0]?.mounts ?? []), { kind: 'volume', name: 'data' }],
      }),
      volumes: [{ name: 'data', kind: 'data', size: '1Gi' }],
    }));
    refused(keeping, /only stateful workloads keep theirs/);
    const twin = changed(single(), 'kube-apiserver', (workload) => ({
      ...workload,
      containers: workload.containers.map((each, at) => (at === 1 ? { ...each, name: 'etcd-client' } : each)),
    }));
    refused(twin, /another Service etcd-client/);
  });
});

describe('what a workload says', () => {
  it('is not taken for a variable of Kubernetes', () => {
    const told = (...args: Container['args']): ContainerObject =>
      container(
        changed(single(), 'kube-scheduler', (workload) => withMain(workload, { args })),
        'kube-scheduler',
      );
    assert.deepEqual(told('--a=$(POD_NAME)$').args, ['--a=$$(POD_NAME)$$']);
    assert.equal(told('--a=$(POD_NAME)$').env, undefined);
    const named = told({ join: ['$', { ref: 'replica' }] });
    assert.deepEqual([named.args, named.env?.length], [['$$$(POD_NAME)'], 1]);
  });

  it('puts a sidecar beside the workload, not before it, where the sidecar needs it first', () => {
    const input = changed(single(), 'kube-apiserver', (workload) => ({
      ...workload,
      containers: workload.containers.map((each, at) => (at === 1 ? { ...each, needs: ['kube-apiserver'] } : each)),
    }));
    const { initContainers, containers } = controller(input, 'kube-apiserver').spec.template.spec;
    assert.equal(initContainers, undefined);
    assert.deepEqual(
      containers.map(({ name }) => name),
      ['kube-apiserver', 'konnectivity-server'],
    );
  });
});
