import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../api/client.ts';
import type { DryRun } from '../../api/types.ts';
import { disabledReason } from './disabled-reason.ts';
import { emptyDraft } from './draft.ts';
import type { DryRunState } from './queries.ts';

const draft = { ...emptyDraft, name: 'shop', datacenter: 'local', version: '1.36.3' };
const answer = { allowed: true, errors: [], findings: [], diff: [] } as unknown as DryRun;
const good: DryRunState = { answer, error: null, isOld: false };
const error = { code: 'CW-X', severity: 'error', message: 'Kubernetes 1.99.0 cannot be had', fix: 'y' } as const;
const because = (dryRun: Partial<DryRunState>, isChanged = true) =>
  disabledReason({ draft, dryRun: { ...good, ...dryRun }, isChanged });

test('a form is sent when the platform has nothing against what it says now', () => {
  assert.equal(because({}), undefined);
  const warned = { ...answer, findings: [{ ...error, severity: 'warning' as const }] };
  assert.equal(because({ answer: warned }), undefined, 'warnings block nothing');
});

test('what is missing, wrong, old or taken keeps it from being sent, and is said', () => {
  assert.equal(disabledReason({ draft: { ...draft, name: '' }, dryRun: good, isChanged: true }), 'It needs a name.');
  assert.equal(because({}, false), 'Nothing is changed yet.');
  assert.equal(because({ isOld: true }), 'It is being checked.');
  assert.equal(because({ answer: undefined }), 'It is being checked.');
  assert.match(
    because({ answer: { ...answer, allowed: false, errors: [error] } }) ?? '',
    /^1 error has .*1\.99\.0 cannot/,
  );
  const taken = new ApiError(412, { code: 'CW-API-EXISTS', message: 'there is one', fix: '' });
  assert.equal(because({ answer: undefined, error: taken }), 'There is a cluster of this name already.');
});
