// Our own definitions, and the documents people write, before the code that kube-apiserver runs.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Resource } from '../../src/model/schema/index.ts';
import { sampleModel } from '../../src/render/testing/sample-model.ts';
import { judgeCustomResources } from '../support/custom-resources.ts';
import { scratchDirectory } from '../support/rendered.ts';

const definitions = fileURLToPath(new URL('../../deploy/crds/', import.meta.url));
const { platform, seeds, datacenters, clusters, pools } = sampleModel;
const documents: readonly Resource[] = [platform, ...seeds, ...datacenters, ...clusters, ...pools];

test('an API server takes our definitions, and the documents of a platform', async (t) => {
  const file = path.join(scratchDirectory(t), 'platform.yaml');
  writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  const problems = await judgeCustomResources(t, { own: [definitions], resources: [file] });
  if (problems !== undefined) assert.deepEqual(problems, []);
});

test('an API server refuses a document that breaks a rule of ours', async (t) => {
  const file = path.join(scratchDirectory(t), 'bad.yaml');
  const certificates = { selfSigned: {}, acmeHTTP01: {} };
  writeFileSync(file, JSON.stringify({ ...platform, spec: { ...platform.spec, certificates, surprise: true } }));
  const problems = await judgeCustomResources(t, { own: [definitions], resources: [file] });
  if (problems === undefined) return;
  assert.match(problems.join('\n'), /unknown field spec\.surprise/);
  assert.match(problems.join('\n'), /set exactly one of acmeHTTP01/);
});
