import assert from 'node:assert/strict';
import test from 'node:test';
import type { Flow, Place, Plan } from '../../plan/schema/index.ts';
import { samplePlan } from '../testing/sample-plan.ts';
import { diffPlans, type TeamDiff } from './index.ts';

const [sampleFlow] = samplePlan.flows as [Flow];
const place = (id: string, networks: string[], hosts: string[] = []): Place => ({
  ...{ id, title: id, networks, hosts },
  pending: false,
});

const planOf = (flows: Partial<Flow>[], places: Place[] = []): Plan => ({
  ...samplePlan,
  flows: flows.map((flow) => ({ ...sampleFlow, from: 'w', to: 'api', ...flow })),
  places: Object.fromEntries(
    [place('w', ['10.2.0.0/24']), place('api', ['10.9.0.1']), ...places].map((one) => [one.id, one]),
  ),
});
const teamOf = (team: TeamDiff['team'], before: Plan, after: Plan): TeamDiff =>
  diffPlans(before, after).find((one) => one.team === team) as TeamDiff;
const texts = (before: Plan, after: Plan): { ask: string[]; close: string[] } => {
  const { ask, close } = teamOf('firewall', before, after);
  return { ask: ask.map(({ text }) => text), close: close.map(({ text }) => text) };
};

test('a port that another row still needs is not closed', () => {
  const both = planOf([{ ports: [80, 443], requirement: 'EGR-10' }, { ports: [443] }]);
  assert.deepEqual(texts(both, planOf([{ ports: [443] }])), {
    ask: [],
    close: ['w (10.2.0.0/24) → api (10.9.0.1) tcp 80'],
  });
});

test('what lies inside of something that is open already is not asked for', () => {
  const wide = place('w', ['10.2.0.0/23']);
  assert.deepEqual(texts(planOf([{ ports: ['30000-32767'] }], [wide]), planOf([{ ports: [30001] }])), {
    ask: [],
    close: [
      'w (10.2.1.0/24) → api (10.9.0.1) tcp 30000-32767',
      'w (10.2.0.0/24) → api (10.9.0.1) tcp 30000,30002-32767',
    ],
  });
});

test('a second network is asked for alone, and nothing is closed', () => {
  const more = planOf([{ ports: [443] }], [place('w', ['10.2.0.0/24', '10.8.0.0/24'])]);
  assert.deepEqual(texts(planOf([{ ports: [443] }]), more), {
    ask: ['w (10.8.0.0/24) → api (10.9.0.1) tcp 443'],
    close: [],
  });
});

test('the same addresses under another name stay open', () => {
  const other = planOf([{ from: 'v', ports: [443] }], [place('v', ['10.2.0.0/24'])]);
  assert.deepEqual(texts(planOf([{ ports: [443] }]), other), { ask: [], close: [] });
});

test('one protocol of any protocol stays open', () => {
  const { close } = texts(planOf([{ protocol: 'any', ports: [] }]), planOf([{ ports: [443] }]));
  assert.deepEqual(
    close.map((text) => text.split(') ').at(-1)),
    ['tcp 0-442,444-65535', 'udp all', 'other all'],
  );
});

test('the Internet opens nothing inside', () => {
  const out = planOf([{ to: 'internet', ports: [443] }], [place('internet', ['0.0.0.0/0', '::/0'])]);
  assert.equal(texts(out, planOf([{ ports: [443] }])).ask.length, 1);
});

test('reasons alone are no change, and flows with the same opening are one request with all rows', () => {
  const twice = planOf([{ requirement: 'PRT-2' }, { requirement: 'PRT-3', reason: 'Another.' }]);
  assert.deepEqual(texts(twice, planOf([{ requirement: 'PRT-2', reason: 'Changed.' }])), { ask: [], close: [] });
  const { ask } = teamOf('firewall', planOf([]), twice);
  assert.equal(ask.length, 1);
  assert.match(ask[0]?.reason ?? '', /Another\. \[PRT-2, PRT-3\]$/);
});

test('certificates of own CAs are nobody’s request', () => {
  const certificates = samplePlan.certificates.filter(({ name }) => name === 'platform');
  const { ask } = teamOf('certificates', { ...samplePlan, certificates }, samplePlan);
  assert.deepEqual(ask, []);
});

const withEntries = (...entries: Partial<Plan['egress']['entries'][number]>[]): Plan => ({
  ...samplePlan,
  egress: {
    modes: {},
    entries: entries.map((entry) => ({
      ...(samplePlan.egress.entries[1] as (typeof samplePlan.egress.entries)[number]),
      from: ['w'],
      ...entry,
    })),
  },
});

test('a host whose paths name versions is not asked for anew when the last cluster goes', () => {
  const withVersion = withEntries({ component: 'kubelet', paths: ['/v1.36.3/bin/linux/amd64/kubelet'] });
  assert.deepEqual(teamOf('allow-list', withVersion, withEntries({ component: 'kubelet' })).ask, []);
});

test('a host stays allowed while any component fetches from it', () => {
  const before = withEntries({ component: 'kubelet' }, { component: 'Ubuntu', ports: [80, 443] });
  const { ask, close } = teamOf('allow-list', before, withEntries({ component: 'kubelet' }));
  assert.deepEqual([ask, close.map(({ text }) => text)], [[], ['w → quay.io:80']]);
  const path = withEntries({ paths: ['/v2/'] });
  assert.deepEqual(teamOf('allow-list', withEntries({}), path).close, []);
  assert.deepEqual(
    teamOf('allow-list', path, withEntries({})).ask.map(({ text }) => text),
    ['w → quay.io:443'],
  );
});
