import assert from 'node:assert/strict';
import test from 'node:test';
import type { Model } from '../../model/schema/index.ts';
import { installationOf } from '../../plan/installation/index.ts';
import type { Plan, Requirement } from '../../plan/schema/index.ts';
import { sampleModel } from '../testing/sample-model.ts';
import { samplePlan } from '../testing/sample-plan.ts';
import { checklist } from './index.ts';

const textOf = (model: Model = sampleModel, plan = samplePlan): string =>
  checklist.files({ ...plan, installation: installationOf(model) })[0]?.text ?? '';

test('open decisions come before everything else', () => {
  const headings = textOf()
    .split('\n')
    .filter((line) => line.startsWith('## '));
  assert.equal(headings[0], '## Open decisions');
  assert.match(textOf(), /- \[ \] \*\*AUT-1\*\* .*`spec.authentication` of `Platform\/sample`/);
});

test('a decision that is taken is not open, and its row is filled in', () => {
  assert.doesNotMatch(textOf(), /- \[ \] \*\*LB-3\*\*/);
  assert.match(textOf(), /- \[x\] \*\*LB-3\*\* .*\n {2}- seed east: cilium/);
});

test('a row that the plan answers is filled in from the plan', () => {
  assert.match(textOf(), /\*\*CRT-6\*\* .*\n.*platform: kubermatic\.example\.com/);
  assert.match(textOf(), /\[x\] \*\*PRT-8\*\* .*\n.*tcp 6443,8088/);
});

test('a row that nobody answers is an empty box with what to check', () => {
  assert.match(textOf(), /- \[ \] \*\*ETC-3\*\* .*\n {2}- check kubermatic-fast of seed west/);
});

test('no row of the plan gets lost, not even one of an unknown chapter', () => {
  for (const { id } of samplePlan.requirements) assert.ok(textOf().includes(`**${id}**`), id);
});

test('secrets appear as references', () => {
  const plan = { ...samplePlan, requirements: [{ ...samplePlan.requirements[0], id: 'INS-2' }] } as typeof samplePlan;
  assert.match(textOf(sampleModel, plan), /- Secret pull-secret/);
});

test('text of a manifest stays text', () => {
  const { platform } = sampleModel;
  const decisions = [{ row: 'DOC-2', choice: '<script>\n## x', owner: 'o', reason: 'r' }];
  const model = { ...sampleModel, platform: { ...platform, spec: { ...platform.spec, decisions } } };
  const plan = { ...samplePlan, requirements: [{ ...samplePlan.requirements[0], id: 'DOC-2' }] } as typeof samplePlan;
  assert.doesNotMatch(textOf(model, plan), /<script>|^## x/m);
});

test('a row that one place answers and another leaves open is not ticked', () => {
  const requirements = [
    { ...samplePlan.requirements[0], id: 'STO-8', title: 'Backups.' },
  ] as typeof samplePlan.requirements;
  const text = textOf(sampleModel, { ...samplePlan, requirements });
  assert.match(text, /- \[ \] \*\*STO-8\*\* Backups\.\n {2}- seed west: bucket etcd/);
});

test('a question that several documents leave open is asked once', () => {
  assert.equal(textOf().match(/\*\*STO-1\*\*/g)?.length, 1);
  assert.match(textOf(), /`spec\.storage\.fast` of `Seed\/east`, `Seed\/west`/);
});

const rowOf = (id: string, kinds: Requirement['kinds'], targets: string[] = [], plan: Plan = samplePlan): string => {
  const requirements: Requirement[] = [
    { id, title: 'Title.', kinds, severity: 'block', targets, vantages: [], clusters: [] },
  ];
  return textOf(sampleModel, { ...plan, requirements });
};

test('a row that only the site can answer is filled in, but never ticked', () => {
  assert.match(
    rowOf('PRT-8', ['plan', 'live']),
    /- \[ \] \*\*PRT-8\*\* Title\. \*Filled in; to be checked on site:\*\n/,
  );
  assert.match(rowOf('PRT-8', ['plan', 'live']), /^1 of 1 row filled in, 1 of them to be checked on site\.$/m);
  assert.match(rowOf('VS-7', ['plan']), /- \[x\] \*\*VS-7\*\* Title\.\n/);
});

test('a row whose address is not known yet stays open', () => {
  assert.match(rowOf('DNS-8', ['plan']), /- \[ \] \*\*DNS-8\*\* Title\.\n.*address not known yet/);
  assert.match(rowOf('DNS-8', ['plan']), /^0 of 1 row filled in/m);
});

test('names of a certificate are told, by wildcard too', () => {
  assert.match(rowOf('CRT-3', ['plan'], ['grafana.kubermatic.example.com']), /grafana.* is in certificate platform/);
  assert.match(rowOf('CRT-7', ['plan']), /grafana\.west\.kubermatic\.example\.com is in certificate platform/);
  assert.match(rowOf('CRT-3', ['plan'], ['a.b.kubermatic.example.com']), /- check a\.b/);
});

test('what is too small or not as the row wants it is not ticked', () => {
  assert.match(rowOf('XPS-3', ['plan']), /- \[ \] \*\*XPS-3\*\*[\s\S]*pool west-vips: 2 needed of 1 \(not met\)/);
  assert.match(rowOf('PRT-16', ['plan']), /- \[x\] .*\n {2}- all 5 flows of the port table are TCP/);
  const flows = samplePlan.flows.map((flow) => ({ ...flow, protocol: 'udp' as const }));
  assert.match(rowOf('PRT-16', ['plan'], [], { ...samplePlan, flows }), /- \[ \] \*\*PRT-16/);
});

test('a location with a seed of its own shows its flows and its wildcard', () => {
  const datacenters = sampleModel.datacenters.map((dc) => ({
    ...dc,
    spec: { ...dc.spec, integration: 'II' as const },
  }));
  const requirements = ['INT-5', 'INT-6', 'INT-7', 'INT-9'].map((id) => ({
    ...(samplePlan.requirements[0] as Requirement),
    id,
  }));
  const text = textOf({ ...sampleModel, datacenters }, { ...samplePlan, requirements });
  assert.match(text, /INT-5.*\n {2}- master\/nodes to seed\/west\/api/);
  assert.match(text, /INT-6.*\n {2}- datacenter\/dc1\/workers to seed\/west\/gateway/);
  assert.match(text, /INT-7.*\n {2}- .*east\.kubermatic/);
  assert.match(text, /INT-9.*\n {2}- users to seed\/west\/gateway/);
});

test('both control planes are named, that of the master first', () => {
  const { platform } = sampleModel;
  const nodes = { ...platform.spec.master.nodes, controlPlane: ['10.0.0.11'] };
  const spec = { ...platform.spec, master: { ...platform.spec.master, nodes } };
  const requirements = [{ ...(samplePlan.requirements[0] as Requirement), id: 'INF-5' }];
  const text = textOf({ ...sampleModel, platform: { ...platform, spec } }, { ...samplePlan, requirements });
  assert.match(text, /- master: API api\.master\.example\.com:6443, 10\.0\.0\.11\n {2}- seed west/);
});

test('addresses that are only proposed are an open decision', () => {
  assert.match(
    textOf(),
    /- \[ \] 1 allocation of addresses .* are proposed and may still move; `causeway plan --lock`/,
  );
});
