import assert from 'node:assert/strict';
import test from 'node:test';
import { parseAllDocuments } from 'yaml';
import type { Model, Platform } from '../../model/schema/index.ts';
import { azureProvider } from '../../plan/testing/sample-model.ts';
import { sampleModel } from '../testing/sample-model.ts';
import { samplePlan, samplePlanOf } from '../testing/sample-plan.ts';
import { certManager } from './cert-manager.ts';
import { openssl } from './openssl.ts';
import { sans } from './sans.ts';

type Mode = NonNullable<Platform['spec']['certificates']>;
interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown> & { issuerRef?: { name: string; kind: string; group: string } };
}

const modelWith = (certificates: Mode | undefined): Model => ({
  ...sampleModel,
  platform: { ...sampleModel.platform, spec: { ...sampleModel.platform.spec, certificates } },
});
const textWith = (mode: Mode | undefined): string | undefined =>
  certManager.files(samplePlanOf(modelWith(mode)))[0]?.text;
const objectsOf = (mode: Mode): KubernetesObject[] =>
  parseAllDocuments(textWith(mode) ?? '')
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
const kindsOf = (mode: Mode): string[] => objectsOf(mode).map((object) => `${object.kind}/${object.metadata.name}`);
const dns01 = (provider: string, more: object = {}): Mode => ({ acmeDNS01: { provider, ...more } });
const solverOf = (mode: Mode): object | undefined => {
  const acme = objectsOf(mode)[0]?.spec.acme as { solvers: object[] } | undefined;
  return acme?.solvers[0];
};

const asked = ['Certificate/platform'];

test('certificates that a cluster or a gateway issues itself are not asked for', () => {
  const own = /apiserver-web|gateway-west/;
  assert.doesNotMatch(textWith({ acmeHTTP01: {} }) ?? '', own);
  assert.ok(!openssl.files(samplePlan).some(({ path }) => own.test(path)));
  const [, after = ''] = (sans.files(samplePlan)[0]?.text ?? '').split('nothing has to be asked for:');
  assert.match(after, /# gateway-west[\s\S]*# apiserver-web/);
});

test('ACME comes with an issuer, by HTTP or by DNS', () => {
  assert.deepEqual(kindsOf({ acmeHTTP01: {} }), ['ClusterIssuer/causeway-acme', ...asked]);
  const parentRefs = [
    { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'kubermatic', name: 'kubermatic' },
  ];
  assert.deepEqual(solverOf({ acmeHTTP01: {} }), { http01: { gatewayHTTPRoute: { parentRefs } } });
  assert.deepEqual(solverOf(dns01('cloudflare')), {
    dns01: { cloudflare: { apiTokenSecretRef: { name: 'causeway-dns01', key: 'api-token' } } },
  });
});

test('an existing issuer is used as it is', () => {
  const mode = { issuer: { name: 'vault', kind: 'Issuer', group: 'example.com' } };
  assert.deepEqual(kindsOf(mode), asked);
  assert.deepEqual(objectsOf(mode)[0]?.spec.issuerRef, { name: 'vault', kind: 'Issuer', group: 'example.com' });
});

test('supplied files and open decisions need no object', () => {
  assert.equal(textWith({ file: { certificate: 'tls.pem', key: { env: 'KEY' } } }), undefined);
  assert.equal(textWith(undefined), undefined);
});

test('an own CA is an issuer over its Secret', () => {
  const mode = { ca: { bundle: { file: 'ca.pem' }, key: { secret: { name: 'corp-ca' } } } };
  assert.deepEqual(objectsOf(mode)[0]?.spec, { ca: { secretName: 'corp-ca' } });
});

test('self-signed makes one root that issues everything', () => {
  const mode = { selfSigned: {} };
  const expected = ['ClusterIssuer/causeway-self-signed', 'Certificate/causeway-ca', 'ClusterIssuer/causeway-ca'];
  assert.deepEqual(kindsOf(mode), [...expected, ...asked]);
  assert.equal(objectsOf(mode).at(-1)?.spec.issuerRef?.name, 'causeway-ca');
});

test('a provider that cert-manager does not know becomes a webhook with an explanation', () => {
  assert.match(textWith(dns01('hetzner')) ?? '', /# cert-manager has no built-in support for hetzner/);
  assert.match(JSON.stringify(solverOf(dns01('hetzner'))), /"solverName":"hetzner"/);
});

test('Azure DNS takes subscription and group from a datacenter, or asks for them', () => {
  const datacenters = sampleModel.datacenters.map((d) => ({ ...d, spec: { ...d.spec, provider: azureProvider() } }));
  const model = { ...modelWith(dns01('azureDNS')), datacenters };
  assert.match(certManager.files(samplePlanOf(model))[0]?.text ?? '', /subscriptionID: subscription/);
  assert.match(textWith(dns01('azureDNS')) ?? '', /# Fill in subscription/);
});

test('a secret in a file or a variable is named in a comment, and never its value', () => {
  assert.match(
    textWith(dns01('cloudflare', { credentials: { env: 'CF_TOKEN' } })) ?? '',
    /made from variable CF_TOKEN/,
  );
  assert.match(textWith(dns01('route53', { credentials: { file: 'aws.key' } })) ?? '', /made from file aws\.key/);
});

test('a request without a short name has no common name, because that has at most 64 characters', () => {
  const long = `${'a'.repeat(60)}.kubermatic.example.com`;
  const certificates = samplePlan.certificates.map((c) => ({ ...c, dnsNames: [long] }));
  const text = openssl.files({ ...samplePlan, certificates })[0]?.text ?? '';
  assert.doesNotMatch(text, /^CN/m);
  assert.match(text, new RegExp(`^DNS.1 = ${long}$`, 'm'));
});

test('a certificate name cannot leave the directory, nor a value its line', () => {
  const certificates = samplePlan.certificates.map((c) => ({
    ...c,
    name: '../../etc/x',
    dnsNames: ['a\n[req]\n$ENV'],
  }));
  const [file] = openssl.files({ ...samplePlan, certificates });
  assert.equal(file?.path, 'certificates/__.._etc_x.cnf');
  assert.equal(file?.text.match(/^\[req\]/gm)?.length, 1);
  assert.ok(!file?.text.includes('$'));
});
