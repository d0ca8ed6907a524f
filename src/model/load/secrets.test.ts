import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { formatFindings, formats } from '../report/index.ts';
import { schemas } from '../schema/index.ts';
import { cluster, everything, loadTexts, platform } from '../testing/manifests.ts';
import { isSecretName } from './literal-secrets.ts';

const base = '  datacenter: rack\n  kubernetesVersion: 1.36.3\n';
const pem = ['-----BEGIN RSA PRIVATE', 'KEY-----'].join(' ');
const token = `ghp_${'hunter2'.repeat(5)}`;

/** Lines of a spec that hold the password hunter2 in some way. */
const secrets: readonly (readonly [name: string, spec: string])[] = [
  ['a password in a URL', '  proxy: {http: "http://bob:hunter2@proxy.example:3128"}\n'],
  ['a password that breaks its URL', '  proxy: {http: "http://bob:hun/ter2hunter2@proxy.example:3128"}\n'],
  ['a password in a URL without scheme', '  registry: {host: "bob:hunter2@registry.example:5000"}\n'],
  ['a token as user of a URL', '  proxy: {http: "http://hunter2@proxy.example:3128"}\n'],
  ['text where a reference belongs', '  proxy: {credentials: "bob hunter2"}\n'],
  ['a number where a reference belongs', '  proxy: {credentials: 72727272}\n'],
  ['a value inside of a reference', '  proxy: {credentials: {value: hunter2}}\n'],
  ['a list of secrets', '  proxy: {credentials: [hunter2]}\n'],
  ['a field that is called password', '  network: {adminPassword: hunter2}\n'],
  ['a field without the space', '  egress: {password:hunter2}\n'],
  ['a private key', `  tenant: |\n    ${pem}\n    hunter2\n`],
  ['an access token', `  tenant: ${token}\n`],
  ['registry credentials', `  tenant: '{"auths": {"r.example": {"auth": "hunter2"}}}'\n`],
  ['registry credentials as fields', '  registry: {auths: {r.example: {auth: hunter2}}}\n'],
  ['an assignment', '  tenant: "user=bob;password=hunter2"\n'],
  ['an assignment in a sentence', '  tenant: "call ann, password: hunter2"\n'],
  ['an assignment with a short name', '  tenant: "bob (pw: hunter2)"\n'],
  ['a user with a password', '  network: {sshUser: "svc:hunter2"}\n'],
  ['a wrong type beside it', '  proxy: {credentials: hunter2, http: 5}\n'],
  ['a comment', '  # http://bob:hunter2@proxy.example\n'],
];
for (const [name, spec] of secrets) {
  test(`${name} is a finding, and is repeated in no output`, () => {
    const { findings, model } = loadTexts(...everything.slice(0, 4), cluster('x', base + spec));
    assert.ok(
      findings.some(({ code }) => code === 'CW-SECRET-LITERAL'),
      JSON.stringify(findings),
    );
    for (const format of formats)
      assert.doesNotMatch(formatFindings(findings, { format }), /hunter2|hun\/ter|72727272/);
    if (name !== 'a comment') assert.deepEqual(model?.clusters, [], 'nothing later can repeat it either');
  });
}

test('what stands inside a reference is never repeated, even where it is no reference', () => {
  for (const reference of [
    '{env: "hunter2!"}',
    '{env: 72727272}',
    '{secret: {name: x, namespace: "Hunter2!"}}',
    '{hunter2: }',
    '{secret: hunter2}',
  ]) {
    const spec = `  proxy: {http: "http://proxy.example:3128", credentials: ${reference}}\n`;
    const { findings } = loadTexts(...everything.slice(0, 4), cluster('x', base + spec));
    assert.ok(findings.length > 0, reference);
    for (const format of formats) assert.doesNotMatch(formatFindings(findings, { format }), /hunter2|72727272/i);
  }
});

test('a misspelled field of a reference is named', () => {
  const spec = '  proxy: {http: "http://proxy.example:3128", credentials: {fil: x}}\n';
  const [finding] = loadTexts(...everything.slice(0, 4), cluster('x', base + spec)).findings;
  assert.equal(finding?.fix, 'Did you mean file?');
});

test('a secret in a label, an annotation or an unknown document is found', () => {
  for (const text of [
    cluster('x').replace('  name: x', '  name: x\n  annotations: {api-token: hunter2}'),
    'apiVersion: v1\nkind: Secret\nstringData: {password: hunter2}\n',
    'kind: Foo\nurl: https://bob:hunter2@host.example\n',
  ]) {
    const { findings } = loadTexts(platform, text);
    assert.ok(
      findings.some(({ code }) => code === 'CW-SECRET-LITERAL'),
      text,
    );
    assert.doesNotMatch(JSON.stringify(findings), /hunter2/);
  }
});

test('references and harmless texts are no secrets', () => {
  for (const spec of [
    '  proxy: {http: "http://proxy.example:3128", credentials: {env: PROXY_PASSWORD}}\n',
    '  registry: {credentials: {secret: {name: pull-secret, key: password, namespace: kube-system}}}\n',
    '  registry: {credentials: {file: /run/secrets/password}}\n',
    '  proxy: {noProxy: ["image:v1@sha256:0123456789abcdef", "reg.example:5000/x@sha256:0123456789abcdef", git@github.com:acme/x]}\n',
    '  # password: see the vault; token: in the key store\n',
    '  # the password is in the vault; ask secret-team@acme.example\n',
  ]) {
    assert.deepEqual(loadTexts(...everything.slice(0, 4), cluster('x', base + spec)).findings, [], spec);
  }
  const repository = '  configRepository: {url: "ssh://git@git.acme.example/platform.git"}\n';
  assert.deepEqual(loadTexts(platform + repository, ...everything.slice(1)).findings, []);
});

test('no field of the model that holds text has the name of a secret', () => {
  const offenders: string[] = [];
  const visit = (schema: z.ZodType, path: string): void => {
    const def = schema.def as {
      type: string;
      shape?: Record<string, z.ZodType>;
      innerType?: z.ZodType;
      element?: z.ZodType;
    };
    if (def.type === 'string' && isSecretName(path.split('.').at(-1) ?? '')) offenders.push(path);
    for (const [key, field] of Object.entries(def.shape ?? {})) visit(field, `${path}.${key}`);
    for (const inner of [def.innerType, def.element]) if (inner !== undefined) visit(inner, path);
  };
  for (const [kind, schema] of Object.entries(schemas)) visit(schema, kind);
  assert.deepEqual(offenders, []);
});
