import assert from 'node:assert/strict';
import test from 'node:test';
import { parseAllDocuments } from 'yaml';
import type { Model, Seed } from '../../model/schema/index.ts';
import type { Artefact } from '../artefact.ts';
import { sampleModel } from '../testing/sample-model.ts';
import { samplePlan, samplePlanOf } from '../testing/sample-plan.ts';
import { peerName, secondsOf } from './announcer.ts';
import { cilium } from './cilium.ts';
import { metallb } from './metallb.ts';
import { prefixList } from './router.ts';

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  spec: Record<string, unknown>;
}

const textOf = (artefact: Artefact, path: string, model: Model = sampleModel): string =>
  artefact.files(samplePlanOf(model)).find((file) => file.path === path)?.text ?? '';
const objectsIn = (text: string): KubernetesObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
const west = 'load-balancer/seed-west/metallb.yaml';
const withBalancer = (loadBalancer: Seed['spec']['loadBalancer']): Model => ({
  ...sampleModel,
  seeds: sampleModel.seeds.map((seed) => ({ ...seed, spec: { ...seed.spec, loadBalancer } })),
});

// MetalLB's own definitions cannot be had as a Go module, so its fields are held against this list.
const metallbFields: Readonly<Record<string, readonly string[]>> = {
  'metallb.io/v1beta1 IPAddressPool': ['addresses', 'autoAssign'],
  'metallb.io/v1beta1 L2Advertisement': ['ipAddressPools'],
  'metallb.io/v1beta1 BGPAdvertisement': ['ipAddressPools', 'aggregationLength', 'aggregationLengthV6', 'peers'],
  'metallb.io/v1beta2 BGPPeer': ['myASN', 'peerASN', 'peerAddress', 'holdTime', 'ebgpMultiHop', 'passwordSecret'],
};

test('MetalLB objects have only kinds and fields that MetalLB knows', () => {
  const objects = metallb.files(samplePlan).flatMap(({ text }) => objectsIn(text));
  assert.ok(objects.length > 5);
  for (const { apiVersion, kind, metadata, spec } of objects) {
    const known = metallbFields[`${apiVersion} ${kind}`] ?? [];
    assert.deepEqual(
      Object.keys(spec).filter((field) => !known.includes(field)),
      [],
      kind,
    );
    assert.equal(metadata.namespace, 'metallb-system');
  }
});

test('a pool is announced without what it excludes, and addresses fixed by hand are added', () => {
  const pools = objectsIn(textOf(metallb, west)).filter(({ kind }) => kind === 'IPAddressPool');
  assert.deepEqual(
    pools.map(({ spec }) => spec.addresses),
    [['198.51.100.17-198.51.100.19', '198.51.100.22-198.51.100.31', '2001:db8:1:1::/124'], ['198.51.100.10/32']],
  );
});

test('each user cluster announces only what it was given', () => {
  const [pool] = objectsIn(textOf(metallb, 'load-balancer/datacenter-dc1/web/metallb.yaml'));
  assert.deepEqual(pool?.spec, { addresses: ['10.2.0.201/32'] });
});

test('a Cilium pool that is no network is written from start to stop', () => {
  const [pool] = objectsIn(textOf(cilium, 'load-balancer/seed-east/cilium.yaml'));
  assert.deepEqual(pool?.spec.blocks, [{ start: '10.3.0.200', stop: '10.3.0.210' }]);
});

test('KubeLB is configured by what announces beneath it', () => {
  const model = withBalancer({ type: 'kubelb', announcer: 'cilium', mode: 'L2' });
  const paths = (artefact: Artefact): string[] => artefact.files(samplePlanOf(model)).map(({ path }) => path);
  assert.ok(paths(cilium).includes('load-balancer/seed-west/cilium.yaml'));
  assert.ok(!paths(metallb).includes(west));
});

test('balancers of others are recorded, not rendered', () => {
  for (const type of ['cloud', 'f5', 'other'] as const) {
    assert.ok(!metallb.files(samplePlanOf(withBalancer({ type }))).some(({ path }) => path.includes('seed-')));
  }
});

test('a mode that nobody decided is announced by ARP and says so', () => {
  assert.match(
    textOf(metallb, west, withBalancer({ type: 'metallb' })),
    /not decided yet.*\napiVersion.*\nkind: L2Advertisement/,
  );
});

test('routers accept single addresses out of the pools and send nothing', () => {
  const text = textOf(prefixList, 'router/seed-west.conf');
  assert.match(text, /^ip prefix-list causeway-seed-west seq 10 permit 198\.51\.100\.18\/31 le 32$/m);
  assert.match(text, /^ip prefix-list causeway-seed-west seq 5 permit 198\.51\.100\.17\/32$/m);
  assert.match(text, /^ipv6 prefix-list causeway-seed-west seq 5 permit 2001:db8:1:1::\/124 le 128$/m);
  assert.match(text, /prefix-list causeway-seed-west-none out/);
});

test('routers listen to the nodes of tenants, too', () => {
  const tenants = [{ name: 'shop', networks: ['10.6.8.0/24'] }];
  const datacenters = sampleModel.datacenters.map((dc) => ({ ...dc, spec: { ...dc.spec, tenants } }));
  const text = textOf(prefixList, 'router/datacenter-dc2.conf', { ...sampleModel, datacenters });
  assert.match(text, /listen range 10\.6\.0\.0\/24 .*\n.*listen range 10\.6\.8\.0\/24 /);
});

test('routers of different AS numbers get a file each', () => {
  const peers = [
    { address: '10.1.0.1', asn: 64512 },
    { address: '10.1.0.2', asn: 64520 },
  ];
  const model = withBalancer({ type: 'metallb', mode: 'BGP', bgp: { asn: 64512, peers } });
  const paths = prefixList.files(samplePlanOf(model)).map(({ path }) => path);
  assert.ok(paths.includes('router/seed-west-as64512.conf') && paths.includes('router/seed-west-as64520.conf'));
});

test('a BGP password is a reference and a note, in no file a value', () => {
  assert.match(textOf(metallb, west), /passwordSecret:\n {4}name: bgp-password/);
  assert.match(textOf(prefixList, 'router/seed-west.conf'), /! Set the agreed password/);
});

test('durations are whole seconds, and a router has a name that Kubernetes takes', () => {
  assert.equal(secondsOf('1m30s'), 90);
  assert.equal(secondsOf('1500ms'), 2);
  assert.equal(peerName({ address: '2001:db8::', asn: 1 }), 'peer-2001-db8');
});
