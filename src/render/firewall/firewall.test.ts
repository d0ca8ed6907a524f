import assert from 'node:assert/strict';
import test from 'node:test';
import type { Flow, Plan } from '../../plan/schema/index.ts';
import { samplePlan } from '../testing/sample-plan.ts';
import { firewall } from './matrix.ts';
import { nftables } from './nftables.ts';
import { mergedPorts } from './rows.ts';

const textOf = (plan: Plan): string => nftables.files(plan)[0]?.text ?? '';
const only = (flow: Partial<Flow>, places: Plan['places'] = {}): Plan => ({
  ...samplePlan,
  places: { ...samplePlan.places, ...places },
  flows: [{ ...(samplePlan.flows[0] as Flow), ...flow }],
});

test('ports are merged, so that no packet filter finds overlapping intervals', () => {
  assert.deepEqual(mergedPorts([443, '30000-32767', 32000, 444]), ['443-444', '30000-32767']);
});

test('every flow has one rule per address family that both sides have', () => {
  const rules = textOf(samplePlan)
    .split('\n')
    .filter((line) => line.includes(' daddr @'));
  const of = (row: string): number => rules.filter((line) => line.includes(`"${row} `)).length;
  assert.equal(of('PRT-1'), 1);
  assert.equal(of('PRT-11'), 2);
});

test('a place without addresses is an empty set that says what goes in', () => {
  assert.match(
    textOf(samplePlan),
    /set seed\/west\/api\.v4 \{[^}]*fill in the addresses of .*api\.west\.example\.com" *; \}/,
  );
});

test('two sides without a common family give a comment, not a rule that never matches', () => {
  const place = { id: 'six', title: 'Six', networks: ['2001:db8::/64'], hosts: [], pending: false };
  const text = textOf(only({ from: 'master/nodes', to: 'six' }, { six: place }));
  assert.match(text, /# PRT-1 master\/nodes to six: the two have no address family in common/);
});

test('places whose names differ only in forbidden characters have sets of their own', () => {
  const place = (id: string) => ({ id, title: id, networks: ['10.0.0.1'], hosts: [], pending: false });
  const text = textOf(
    only({ from: 'proxy/a:1', to: 'proxy/a_1' }, { 'proxy/a:1': place('proxy/a:1'), 'proxy/a_1': place('proxy/a_1') }),
  );
  const names = [...text.matchAll(/^ {2}set (\S+)/gm)].map((match) => match[1]);
  assert.equal(new Set(names).size, 4);
});

test('a reason can neither end its comment nor its line', () => {
  const reason = 'evil" } }\nflush ruleset\n# ’'.padEnd(400, 'x');
  const text = textOf(only({ reason }));
  assert.doesNotMatch(text, /^\s*flush/m);
  const comments = [...text.matchAll(/comment "([^"\n]*)"/g)].map((match) => match[1] ?? '');
  assert.ok(comments.every((comment) => Buffer.byteLength(comment) <= 127));
});

test('a flow of any protocol has no port match, and one without ports matches its protocol', () => {
  assert.match(textOf(only({ protocol: 'any', ports: [] })), /daddr @master\/ingress\.v4 counter accept/);
  assert.match(textOf(only({ protocol: 'udp', ports: [] })), /meta l4proto udp counter accept/);
});

test('the matrix exists in four forms with the same flows', () => {
  const files = new Map(firewall.files(samplePlan).map(({ path, text }) => [path.split('.')[1], text]));
  const count = samplePlan.flows.length;
  assert.equal(files.get('txt')?.trimEnd().split('\n').length, count + 2);
  assert.equal(files.get('csv')?.trimEnd().split('\r\n').length, count + 1);
  assert.equal(
    files
      .get('md')
      ?.split('\n')
      .filter((line) => line.startsWith('|')).length,
    count + 2,
  );
  assert.equal((JSON.parse(files.get('json') ?? '') as Plan).flows.length, count);
});

test('the matrix says where a place is, or that nobody knows yet', () => {
  const text = firewall.files(samplePlan)[0]?.text ?? '';
  assert.match(text, /seed\/east\/gateway +not known yet/);
  assert.match(text, /identity-provider +ldap\.example\.com/);
});

const fileOf = (plan: Plan, form: string): string =>
  firewall.files(plan).find(({ path }) => path.endsWith(form))?.text ?? '';

test('flows that need the same opening are one line with all rows and reasons, but stay apart in JSON', () => {
  const [first] = samplePlan.flows as [Flow];
  const again = { ...first, requirement: 'AUT-1', reason: 'Sign-in.', clusters: ['web'] };
  const plan = { ...samplePlan, flows: [first, again] };
  assert.match(fileOf(plan, 'txt'), /443 +PRT-1 AUT-1 +platform, 1 cluster +Needed for PRT-1\. Sign-in\.\n$/);
  assert.equal(fileOf(plan, 'csv').trimEnd().split('\r\n').length, 2);
  assert.equal((JSON.parse(fileOf(plan, 'json')) as Plan).flows.length, 2);
});

test('a line to the internet leads to the allow-list', () => {
  assert.match(fileOf(only({ from: 'master/nodes', to: 'internet' }), 'md'), /egress\/allow-list\.csv/);
});

test('an address inside a network of the same cell is left out, and connections to a host go to the host alone', () => {
  const bastion = {
    id: 'bastion',
    title: 'Bastion',
    networks: ['10.9.0.0/28', '10.9.0.10'],
    hosts: [],
    pending: false,
  };
  const from = fileOf(only({ from: 'bastion' }, { bastion }), 'txt');
  assert.match(from, /bastion +10\.9\.0\.0\/28 {3}/);
  assert.match(fileOf(only({ to: 'bastion' }, { bastion }), 'txt'), /bastion +10\.9\.0\.10 {3}/);
});

test('the matrix says that addresses are proposed, until all are locked', () => {
  assert.match(fileOf(samplePlan, 'txt'), /^# 1 allocation of addresses and 1 pair of node ports are proposed/);
  const locked = { ...samplePlan, addresses: { pools: [], nodePorts: [] } };
  assert.match(fileOf(locked, 'txt'), /^FROM/);
});
