// What we render for cert-manager, external-dns and Cilium, before the definitions of those projects.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Platform } from '../../src/model/schema/index.ts';
import { sampleModel } from '../../src/render/testing/sample-model.ts';
import { samplePlanOf } from '../../src/render/testing/sample-plan.ts';
import { type ForeignProject, judgeCustomResources, needDefinitions } from '../support/custom-resources.ts';
import { hostile } from '../support/hostile-plan.ts';
import { plannedSubjects } from '../support/planned-subjects.ts';
import { renderedFiles, type Subject, sample, scratchDirectory } from '../support/rendered.ts';

type Certificates = NonNullable<Platform['spec']['certificates']>;
const withCertificates = (name: string, certificates: Certificates): Subject => {
  const { platform } = sampleModel;
  const model = { ...sampleModel, platform: { ...platform, spec: { ...platform.spec, certificates } } };
  return { name, plan: samplePlanOf(model) };
};
const dns01 = (provider: string, more: object = {}): Subject =>
  withCertificates(`${provider} with ${Object.keys(more).join() || 'nothing'}`, { acmeDNS01: { provider, ...more } });
const credentials = { secret: { name: 'dns', key: 'token' } };

const issuers = [
  withCertificates('ACME by HTTP', { acmeHTTP01: { email: 'a@example.com' } }),
  withCertificates('existing issuer', { issuer: { name: 'vault' } }),
  withCertificates('own CA', { ca: { bundle: { file: 'ca.pem' }, key: { env: 'KEY' } } }),
  withCertificates('self-signed', { selfSigned: {} }),
  dns01('rfc2136'),
  dns01('route53', { credentials }),
  dns01('route53'),
  dns01('azureDNS', { credentials }),
  dns01('cloudflare', { credentials }),
  dns01('digitalocean', { credentials }),
  dns01('hetzner'),
];

async function assertTaken(t: TestContext, subject: Subject, artefact: string, project: ForeignProject): Promise<void> {
  const trusted = await needDefinitions(t, project);
  if (trusted === undefined) return;
  const resources = renderedFiles(t, subject, artefact);
  const problems = await judgeCustomResources(t, { trusted: [trusted], resources });
  if (problems !== undefined) assert.deepEqual(problems, []);
}

const everybody = [sample, hostile, ...plannedSubjects()];

for (const subject of [...everybody, ...issuers]) {
  test(`cert-manager takes certificates and issuers (${subject.name})`, (t) =>
    assertTaken(t, subject, 'cert-manager', 'cert-manager'));
}

for (const subject of everybody) {
  test(`external-dns takes the records (${subject.name})`, (t) =>
    assertTaken(t, subject, 'dnsendpoint', 'external-dns'));
  test(`Cilium takes pools, routers and announcements (${subject.name})`, (t) =>
    assertTaken(t, subject, 'cilium', 'cilium'));
}

test('the judge refuses unknown fields, wrong types and broken rules', async (t) => {
  const trusted = await needDefinitions(t, 'cilium');
  if (trusted === undefined) return;
  const file = path.join(scratchDirectory(t), 'bad.yaml');
  const peer = (spec: object): string =>
    JSON.stringify({ apiVersion: 'cilium.io/v2', kind: 'CiliumBGPPeerConfig', metadata: { name: 'p' }, spec });
  const rule = { timers: { holdTimeSeconds: 9, keepAliveTimeSeconds: 30 } };
  writeFileSync(file, [{ surprise: 1 }, { ebgpMultihop: 'far' }, rule].map(peer).join('\n---\n'));
  const problems = (await judgeCustomResources(t, { trusted: [trusted], resources: [file] }))?.join('\n');
  if (problems === undefined) return;
  assert.match(problems, /unknown field spec\.surprise/);
  assert.match(problems, /ebgpMultihop.*must be of type integer/);
  assert.match(problems, /keepAliveTimeSeconds can not be larger/);
});
