import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkWorkloads, machineTexts } from './check-workloads.ts';
import { controlPlaneWorkloads } from './components/index.ts';
import { sampleInput, workloadInput } from './testing/input.ts';
import type { Container, Workload } from './workload.ts';

/** Control planes of every size and shape. */
const controlPlanes = fc
  .record({
    etcd: fc.constantFrom(1, 3, 5),
    controllers: fc.integer({ min: 1, max: 3 }),
    servers: fc.integer({ min: 1, max: 5 }),
    pods: fc.constantFrom(['172.25.0.0/16'], ['172.25.0.0/16', 'fd01::/48']),
    oidc: fc.option(fc.constant({ issuer: 'https://id.example.com', clientId: 'web' }), { nil: undefined }),
  })
  .map(({ etcd, controllers, servers, pods, oidc }) => {
    const { konnectivity, network, ...input } = sampleInput();
    const server = { ...konnectivity.server, replicas: servers, serverCount: servers };
    const shape = { konnectivity: { ...konnectivity, server }, network: { ...network, pods } };
    return controlPlaneWorkloads(
      workloadInput({ ...input, ...shape, ...(oidc === undefined ? {} : { oidc }) }, { etcd, controllers }),
    );
  });

/** The list without one of its mounts, ports, volumes, workloads or openings, whichever number that is. */
const without = (
  workloads: readonly Workload[],
  number: number,
): { readonly what: string; readonly left: Workload[] } => {
  const less = [
    ...workloads.map((gone) => ({ what: gone.name, left: workloads.filter((workload) => workload !== gone) })),
    ...workloads.flatMap((workload) =>
      [
        ...workload.volumes.map((gone) => ({ ...workload, volumes: workload.volumes.filter((one) => one !== gone) })),
        ...workload.ingress.flatMap(({ port, from }) =>
          from
            .filter((peer) => peer !== 'gateway' && peer !== workload.name)
            .map((gone) => ({
              ...workload,
              ingress: workload.ingress.map((one) =>
                one.port === port ? { ...one, from: from.filter((peer) => peer !== gone) } : one,
              ),
            })),
        ),
        ...workload.containers.flatMap((container) =>
          [
            ...container.ports.map((gone) => ({ ...container, ports: container.ports.filter((one) => one !== gone) })),
            ...container.mounts.map((gone) => ({
              ...container,
              mounts: container.mounts.filter((one) => one !== gone),
            })),
          ].map((changed: Container) => ({
            ...workload,
            containers: workload.containers.map((one) => (one === container ? changed : one)),
          })),
        ),
      ].map((changed) => ({
        what: JSON.stringify(changed),
        left: workloads.map((one) => (one.name === changed.name ? changed : one)),
      })),
    ),
  ];
  return less[number % less.length] ?? assert.fail();
};

describe('the workloads of a control plane', () => {
  it('name nothing that is not there, whatever their size', () => {
    fc.assert(fc.property(controlPlanes, (workloads) => assert.deepEqual(checkWorkloads(workloads), [])));
  });

  it('have no mount, port, volume, opening or peer that nobody needs: without any of them something is missing', () => {
    fc.assert(
      fc.property(controlPlanes, fc.nat({ max: 1000 }), (workloads, number) => {
        const { what, left } = without(workloads, number);
        // Nobody in the list refers to these two.
        const isLeaf = what === 'kube-scheduler' || what === 'kube-controller-manager';
        assert.equal(checkWorkloads(left).length > 0 || isLeaf, true, what);
      }),
      { numRuns: 300 },
    );
  });

  it('name no path and no address of one machine', () => {
    fc.assert(fc.property(controlPlanes, (workloads) => assert.deepEqual(machineTexts(workloads), [])));
  });

  it('elect leaders only where there are several', () => {
    fc.assert(
      fc.property(controlPlanes, (workloads) => {
        for (const { name, replicas, containers } of workloads)
          for (const { args } of containers)
            if (args.some((arg) => String(arg).startsWith('--leader-elect')))
              assert.ok(args.includes(`--leader-elect=${replicas > 1}`), name);
      }),
    );
  });
});

describe('machineTexts', () => {
  const named = (arg: string): string[] => {
    const [etcd] = controlPlaneWorkloads(workloadInput(sampleInput())) as [Workload];
    return machineTexts([{ ...etcd, containers: etcd.containers.map((one) => ({ ...one, args: [arg] })) }]);
  };

  it('finds paths and loopback in arguments, and leaves everything else alone', () => {
    for (const text of ['/etc/x', '--a=/etc/x', '--a=127.0.0.1', '--a=https://[::1]:1', '--a=localhost:1'])
      assert.deepEqual(named(text), [text]);
    for (const text of ['--a=b/c', '--a=10.127.0.1', '--a=fd01::1', '--a=https://kubernetes.default.svc'])
      assert.deepEqual(named(text), []);
  });
});

describe('checkWorkloads', () => {
  const base = controlPlaneWorkloads(workloadInput(sampleInput()));
  const changed = (name: string, change: (container: Container) => Container): Workload[] =>
    base.map((workload) => ({
      ...workload,
      containers: workload.containers.map((one) => (one.name === name ? change(one) : one)),
    }));

  it('says who waits for itself, and who for nobody', () => {
    assert.deepEqual(checkWorkloads(changed('etcd', (one) => ({ ...one, needs: ['kube-scheduler'] }))), [
      'etcd: waits for itself',
      'kube-apiserver: waits for itself',
      'kube-scheduler: waits for itself',
    ]);
    assert.deepEqual(checkWorkloads(changed('etcd', (one) => ({ ...one, after: ['nobody'] }))), [
      'etcd: waits for nobody, which is not there',
    ]);
  });

  it('says which container refers to what', () => {
    const [problem] = checkWorkloads(changed('kube-scheduler', (one) => ({ ...one, ports: [] })));
    assert.equal(problem, 'kube-scheduler: refers to port https, which it does not declare');
  });

  it('refuses two of the same name or number', () => {
    const twice = changed('konnectivity-server', (one) => ({
      ...one,
      ports: [...one.ports, { name: 'https', number: 6443 }],
    }));
    assert.deepEqual(checkWorkloads(twice), [
      'kube-apiserver: port https is there twice',
      'kube-apiserver: port number 6443 is there twice',
    ]);
  });
});
