import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { isAt } from '../../src/plan/places/ids.ts';
import { type Plan, planSchema } from '../../src/plan/schema/index.ts';
import { causeway, copyOf, edit, exampleDir } from '../support/cli.ts';

const planOf = (...args: string[]): Plan => JSON.parse(causeway(['plan', '-o', 'json', ...args]).stdout) as Plan;

/** What scripts rely on. */
const topLevel = [
  'settings',
  'endpoints',
  'flows',
  'dns',
  'certificates',
  'addresses',
  'egress',
  'proxy',
  'gateway',
  'konnectivity',
  'requirements',
];

test('the plan as JSON is what its schema promises', () => {
  const plan = planOf(exampleDir('vsphere'));
  planSchema.parse(plan);
  for (const key of topLevel) assert.ok(key in plan, key);
});

test('manifests that up runs here are planned for this machine, others for Kubernetes', (t) => {
  const directory = copyOf(t, 'local');
  edit(path.join(directory, 'platform.yaml'), /konnectivity: \{.*\}/, '');
  const servers = () => planOf(directory).konnectivity.nodeport?.server.replicas;
  assert.equal(servers(), 2);
  mkdirSync(path.join(directory, '.causeway/clusters'), { recursive: true });
  assert.equal(servers(), 1);
});

test('a flow has exactly the fields that scripts rely on', () => {
  const { flows } = planOf(exampleDir('behind-proxy'));
  assert.ok(flows.length > 0);
  const fields = ['clusters', 'from', 'ports', 'protocol', 'reason', 'requirement', 'to'];
  for (const flow of flows) assert.deepEqual(Object.keys(flow).sort(), fields);
});

test('JSON and YAML are the same plan', () => {
  const yaml = causeway(['plan', '-o', 'yaml', exampleDir('local')]).stdout;
  assert.deepEqual(parse(yaml), planOf(exampleDir('local')));
});

test('--from and --to leave only flows between those places', () => {
  const all = planOf(exampleDir('vsphere')).flows;
  const selected = planOf(exampleDir('vsphere'), '--from', 'users', '--to', 'seed').flows;
  assert.ok(selected.length > 0);
  assert.deepEqual(
    selected,
    all.filter((flow) => flow.from === 'users' && flow.to.startsWith('seed/')),
  );
  const table = causeway(['plan', exampleDir('vsphere'), '--from', 'users', '--to', 'seed']).stdout;
  const [header = '', ...rows] = table.trimEnd().split('\n');
  assert.match(header, /^FROM +TO +PROTO +PORTS +ROW/);
  assert.equal(rows.length, selected.length);
  for (const row of rows) assert.match(row, /^users +seed\//);
});

test('a place is named as a whole, by kind, by owner or by role', () => {
  assert.ok(isAt('seed/west/gateway', 'seed'));
  assert.ok(isAt('seed/west/gateway', 'seeds'));
  assert.ok(isAt('seed/west/gateway', 'seed/west'));
  assert.ok(isAt('seed/west/gateway', 'gateway'));
  assert.ok(!isAt('seed/western/gateway', 'seed/west'));
  assert.ok(!isAt('users', 'seed'));
});

test('the views by cluster and by place name every cluster and every place', () => {
  const plan = planOf(exampleDir('vsphere'));
  const byCluster = causeway(['plan', '--by', 'cluster', '-o', 'wide', exampleDir('vsphere')]).stdout;
  for (const cluster of Object.keys(plan.endpoints)) assert.match(byCluster, new RegExp(`^${cluster} `, 'm'));
  const byPlace = causeway(['plan', '--by', 'place', exampleDir('vsphere')]).stdout;
  for (const place of Object.keys(plan.places)) assert.ok(byPlace.includes(`${place} `), place);
});

test('there is no colour where there is no terminal', () => {
  const { stdout } = causeway(['plan', exampleDir('local')]);
  assert.ok(!stdout.includes('\u001b'));
});

test('--lock keeps what was proposed, and a second time changes nothing', (t) => {
  const dir = copyOf(t, 'vsphere');
  const lock = path.join(dir, 'causeway.lock.yaml');
  const before = planOf(dir);
  assert.ok(!existsSync(lock));
  assert.equal(causeway(['plan', '--lock', dir]).code, 0);
  const written = readFileSync(lock, 'utf8');
  const after = planOf(dir);
  const addressesOf = (plan: Plan): unknown =>
    plan.addresses.pools.map((pool) => pool.allocations.map(({ locked: _, ...rest }) => rest));
  assert.deepEqual(addressesOf(after), addressesOf(before));
  assert.ok(after.addresses.pools.every((pool) => pool.allocations.every((allocation) => allocation.locked)));
  causeway(['plan', '--lock', dir]);
  assert.equal(readFileSync(lock, 'utf8'), written);
});

test('nothing is locked from manifests with errors', (t) => {
  const dir = copyOf(t, 'vsphere');
  edit(path.join(dir, 'pools/management.yaml'), /ranges: .*/, 'ranges: [10.30.0.11-10.30.0.12]');
  const { code } = causeway(['plan', '--lock', dir]);
  assert.equal(code, 3);
  assert.ok(!existsSync(path.join(dir, 'causeway.lock.yaml')));
});

test('manifests that cannot be planned give findings and no plan', (t) => {
  const dir = copyOf(t, 'local');
  edit(path.join(dir, 'platform.yaml'), 'kind: Platform', 'kind: Platfrom');
  const { code, stdout, stderr } = causeway(['plan', '-o', 'json', dir]);
  assert.equal(code, 3);
  assert.equal(stdout, '');
  assert.match(stderr, /Did you mean Platform\?/);
});
