import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { proxyCredentials } from './proxy-credentials.ts';

function base(t: TestContext) {
  const manifests = mkdtempSync(path.join(tmpdir(), 'cw-manifests-'));
  t.after(() => rmSync(manifests, { recursive: true, force: true }));
  return { manifests, env: { CAUSEWAY_SECRET_PROXY: 'worker:p:ss' } };
}

test('credentials are where the manifests say: in a variable or in a file beside them', (t) => {
  const where = base(t);
  mkdirSync(path.join(where.manifests, 'secrets'));
  writeFileSync(path.join(where.manifests, 'secrets/proxy'), 'worker:from a file\n', { mode: 0o600 });
  assert.deepEqual(proxyCredentials({ env: 'CAUSEWAY_SECRET_PROXY' }, where), { user: 'worker', password: 'p:ss' });
  assert.deepEqual(proxyCredentials({ file: 'secrets/proxy' }, where), { user: 'worker', password: 'from a file' });
});

test('credentials of the demo are made once, and only for their owner', (t) => {
  const where = base(t);
  const file = path.join(where.manifests, '.causeway/proxy-credentials');
  const made = proxyCredentials({ file: '.causeway/proxy-credentials' }, where);
  assert.equal(readFileSync(file, 'utf8'), `${made.user}:${made.password}\n`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(made.password.length >= 24);
  assert.deepEqual(proxyCredentials({ file: '.causeway/proxy-credentials' }, where), made);
});

test('credentials that are not there are asked for, and never shown', (t) => {
  const where = base(t);
  const code = 'CW-PROXY-CREDENTIALS';
  assert.throws(() => proxyCredentials({ env: 'CAUSEWAY_SECRET_NOWHERE' }, where), {
    code,
    fix: /set CAUSEWAY_SECRET_NOWHERE/,
  });
  assert.throws(() => proxyCredentials({ file: 'secrets/missing' }, where), {
    code,
    message: /missing does not exist/,
  });
  assert.throws(() => proxyCredentials({ secret: { name: 'proxy' } }, where), { code, message: /Secret/ });
});
