import assert from 'node:assert/strict';
import test from 'node:test';
import type { Model } from '../../model/schema/index.ts';
import { sampleModel } from '../testing/sample-model.ts';
import { samplePlan } from '../testing/sample-plan.ts';
import { checklist } from './index.ts';

const textOf = (model: Model = sampleModel, plan = samplePlan): string => checklist.files(plan, model)[0]?.text ?? '';

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
  assert.match(
    textOf(),
    /\[x\] \*\*DNS-8\*\* .*\n.*\\\*\.east\.kubermatic\.example\.com → seed\/east\/gateway, address not known yet/,
  );
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
