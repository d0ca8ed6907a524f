import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Workload } from '../../control-plane/index.ts';
import type { KubeObject } from '../../kube/index.ts';
import { kubernetesObjects } from './index.ts';
import { arbitraryWorkloads } from './testing/arbitrary-workloads.ts';
import { gateway, highlyAvailable, single } from './testing/control-planes.ts';
import { judgeReferences } from './testing/references.ts';
import { loopbacks, removals } from './testing/removals.ts';

const controlPlanes = { 'one of each': single(), 'highly available': highlyAvailable() };

for (const [name, input] of Object.entries(controlPlanes))
  describe(`what the programs of a control plane are told (${name})`, () => {
    const objects = kubernetesObjects(input);
    const { references, problems } = judgeReferences(objects);

    it('is in the rendered objects: files mounted, ports declared, peers behind Services that let them in', () => {
      assert.deepEqual(problems, []);
    });

    it('is read from arguments, configs and probes', () => {
      const named = (reference: string): void => assert.ok(references.includes(reference), reference);
      named('etcd/etcd: /var/lib/causeway/data');
      named('etcd/etcd: /etc/causeway/secrets/etcd-ca/tls.crt');
      named('etcd/etcd: etcd-0.etcd.cluster-web.svc.cluster.local:2380');
      named('etcd/etcd: port 2381');
      named('kube-apiserver/kube-apiserver: etcd-client.cluster-web.svc.cluster.local:2379');
      named('kube-apiserver/kube-apiserver: /run/causeway/konnectivity/konnectivity-server.socket');
      named('kube-apiserver/kube-apiserver: port 6443');
      named('kube-apiserver/konnectivity-server: 127.0.0.1:6443');
      named('kube-apiserver/konnectivity-server: /run/causeway/konnectivity/konnectivity-server.socket');
      named('kube-apiserver/konnectivity-server: probe of port health');
      named('kube-scheduler/kube-scheduler: kube-apiserver.cluster-web.svc.cluster.local:6443');
      named('kube-scheduler/kube-scheduler: /etc/causeway/secrets/scheduler/tls.key');
    });

    it('is missed when any mount, port, Service, config or file of the objects is taken away', () => {
      const all = removals(objects);
      assert.ok(all.length > 70, `${all.length} removals`);
      const unnoticed = all.filter(({ without }) => judgeReferences(without).problems.length === 0);
      assert.deepEqual(
        unnoticed.map(({ what }) => what),
        [],
      );
    });

    it('is missed when a listener that others come to is bound to loopback', () => {
      const all = loopbacks(objects);
      assert.ok(all.length > 6, `${all.length} listeners`);
      const unnoticed = all.filter(({ without }) => judgeReferences(without).problems.length === 0);
      assert.deepEqual(
        unnoticed.map(({ what }) => what),
        [],
      );
    });
  });

describe('what the programs of any workloads are told', () => {
  const objectsOf = (workloads: readonly Workload[]): KubeObject[] =>
    kubernetesObjects({ namespace: 'cluster-any', cluster: 'any', workloads, gateway });

  it('is in the rendered objects', () => {
    fc.assert(
      fc.property(arbitraryWorkloads, (workloads) => {
        assert.deepEqual(judgeReferences(objectsOf(workloads)).problems, []);
      }),
    );
  });

  it('is missed when anything of the objects is taken away', () => {
    fc.assert(
      fc.property(arbitraryWorkloads, fc.nat(), (workloads, chance) => {
        const all = removals(objectsOf(workloads));
        const removal = all[chance % all.length];
        if (removal === undefined) return;
        assert.ok(judgeReferences(removal.without).problems.length > 0, removal.what);
      }),
      { numRuns: 300 },
    );
  });
});
