import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { CausewayError } from '../../core/errors.ts';
import { bundleText, keepAllowed, secretText } from './secret-places.ts';

function places(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'cw-secrets-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const manifests = path.join(root, 'platform');
  for (const directory of ['secrets/deep', '.causeway', 'certs'])
    mkdirSync(path.join(manifests, directory), { recursive: true, mode: 0o700 });
  const at = (...names: string[]): string => path.join(manifests, ...names);
  writeFileSync(at('platform.yaml'), 'kind: Platform\n');
  writeFileSync(at('secrets/key'), 'the key');
  writeFileSync(at('secrets/deep/key'), 'a deep key');
  writeFileSync(at('certs/ca.pem'), 'an authority');
  writeFileSync(at('.causeway/ca.key'), 'a key of the platform');
  writeFileSync(path.join(root, 'outside'), 'not yours');
  return { root, manifests, at, env: { CAUSEWAY_SECRET_A: 'a', PATH: '/bin', OIDC: 'o' } };
}

const refused = { code: 'CW-SECRET-PLACE' };

test('secrets are read from files below secrets, and from variables with the prefix', (t) => {
  const where = places(t);
  assert.equal(secretText({ file: 'secrets/key' }, where), 'the key');
  assert.equal(secretText({ file: 'secrets/deep/../deep/key' }, where), 'a deep key');
  assert.equal(secretText({ file: where.at('secrets/key') }, where), 'the key');
  assert.equal(secretText({ env: 'CAUSEWAY_SECRET_A' }, where), 'a');
  assert.equal(secretText({ file: 'secrets/none' }, where), undefined);
  assert.equal(secretText({ env: 'CAUSEWAY_SECRET_NONE' }, where), undefined);
  assert.equal(secretText({ secret: { name: 'a' } }, where), undefined);
});

test('no other file is read, whether or not it exists', (t) => {
  const where = places(t);
  const others = ['platform.yaml', '../outside', '../none', '/etc/shadow', '/etc/none', '/proc/self/environ'];
  const tricks = ['secrets', 'secrets/', 'secrets/../platform.yaml', 'secrets/../../outside', '.causeway/ca.key'];
  for (const file of [...others, ...tricks, '.causeway/secret-places.json', 'secretsx/key', '']) {
    assert.throws(() => secretText({ file }, where), refused, file);
  }
});

test('no other variable is read', (t) => {
  const where = places(t);
  for (const name of ['PATH', 'OIDC', 'causeway_secret_a', 'NOT_THERE'])
    assert.throws(() => secretText({ env: name }, where), refused, name);
});

test('a link does not lead out of the directory', (t) => {
  const where = places(t);
  symlinkSync('../../outside', where.at('secrets/link'));
  symlinkSync('/proc/self', where.at('secrets/self'));
  symlinkSync('key', where.at('secrets/inner'));
  assert.throws(() => secretText({ file: 'secrets/link' }, where), refused);
  assert.throws(() => secretText({ file: 'secrets/self/environ' }, where), refused);
  assert.equal(secretText({ file: 'secrets/inner' }, where), 'the key', 'inside it may');
  rmSync(where.at('secrets'), { recursive: true });
  symlinkSync(where.root, where.at('secrets'));
  assert.throws(
    () => secretText({ file: 'secrets/outside' }, where),
    refused,
    'a link in its place came with the files',
  );
});

test('the owner of the machine names another directory and further variables', (t) => {
  const where = places(t);
  const keys = path.join(where.root, 'keys');
  mkdirSync(keys, 0o700);
  writeFileSync(path.join(keys, 'key'), 'elsewhere');
  keepAllowed(where.manifests, { directory: keys, variables: ['OIDC'] });
  assert.equal(secretText({ file: '../keys/key' }, where), 'elsewhere');
  assert.equal(secretText({ env: 'OIDC' }, where), 'o');
  assert.throws(() => secretText({ env: 'PATH' }, where), refused);
  assert.throws(() => secretText({ file: 'secrets/key' }, where), refused, 'there is one directory');
  keepAllowed(where.manifests, {});
  assert.throws(() => secretText({ env: 'OIDC' }, where), refused);
});

test('what is allowed is said, with both ways out', (t) => {
  const where = places(t);
  const problem = (act: () => unknown): CausewayError => {
    try {
      act();
    } catch (error) {
      return error as CausewayError;
    }
    throw new Error('it was allowed');
  };
  const file = problem(() => secretText({ file: '../keys/bucket' }, where));
  assert.match(file.message, /secret file \.\.\/keys\/bucket is not below .*\/platform\/secrets,/);
  assert.match(file.fix, /^move it there .* or start with "causeway up --secrets-dir DIR"/);
  const variable = problem(() => secretText({ env: 'OIDC' }, where));
  assert.match(variable.message, /variable OIDC .* begin with CAUSEWAY_SECRET_$/);
  assert.match(variable.fix, /^use CAUSEWAY_SECRET_OIDC .* or start with "causeway up --secret-env OIDC"$/);
});

test('a secret that other users of the machine can read is refused', (t) => {
  const where = places(t);
  chmodSync(where.at('secrets'), 0o755);
  chmodSync(where.at('secrets/key'), 0o644);
  assert.throws(() => secretText({ file: 'secrets/key' }, where), { code: 'CW-KEYS-OPEN', fix: /chmod 700 .*secrets/ });
  chmodSync(where.at('secrets/key'), 0o600);
  assert.equal(secretText({ file: 'secrets/key' }, where), 'the key');
});

test('what is no file, or too long, is not read', (t) => {
  const where = places(t);
  writeFileSync(where.at('secrets/long'), 'x'.repeat(2 ** 20 + 1));
  for (const file of ['secrets/deep', 'secrets/long'])
    assert.throws(() => secretText({ file }, where), { code: 'CW-SECRET-READ' }, file);
});

test('bundles are read beside the manifests, but not where keys of the platform are', (t) => {
  const where = places(t);
  assert.equal(bundleText('certs/ca.pem', where), 'an authority');
  assert.equal(bundleText('certs/none.pem', where), undefined);
  symlinkSync('/etc', where.at('certs/etc'));
  for (const file of ['/etc/passwd', '../outside', '.causeway/ca.key', 'certs/etc/passwd', '.', ''])
    assert.throws(() => bundleText(file, where), refused, file);
});
