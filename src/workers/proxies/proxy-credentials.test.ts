import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { proxyCredentials } from './proxy-credentials.ts';

function base(t: TestContext) {
  const manifests = mkdtempSync(path.join(tmpdir(), 'cw-manifests-'));
  t.after(() => rmSync(manifests, { recursive: true, force: true }));
  return { manifests, state: path.join(manifests, '.causeway'), env: { PROXY: 'worker:p:ss' } };
}

test('credentials are where the manifests say: in a variable or in a file beside them', (t) => {
  const where = base(t);
  writeFileSync(path.join(where.manifests, 'proxy'), 'worker:from a file\n', { mode: 0o600 });
  assert.deepEqual(proxyCredentials({ env: 'PROXY' }, where), { user: 'worker', password: 'p:ss' });
  assert.deepEqual(proxyCredentials({ file: 'proxy' }, where), { user: 'worker', password: 'from a file' });
});

test('credentials of the demo are made once, and only for their owner', (t) => {
  const where = base(t);
  const file = path.join(where.state, 'proxy-credentials');
  const made = proxyCredentials({ file: '.causeway/proxy-credentials' }, where);
  assert.equal(readFileSync(file, 'utf8'), `${made.user}:${made.password}\n`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(made.password.length >= 24);
  assert.deepEqual(proxyCredentials({ file: '.causeway/proxy-credentials' }, where), made);
});

test('credentials that are not there are asked for, and never shown', (t) => {
  const where = base(t);
  const code = 'CW-PROXY-CREDENTIALS';
  assert.throws(() => proxyCredentials({ env: 'NOWHERE' }, where), { code, fix: /set NOWHERE/ });
  assert.throws(() => proxyCredentials({ file: 'missing' }, where), { code, message: /missing does not exist/ });
  assert.throws(() => proxyCredentials({ secret: { name: 'proxy' } }, where), { code, message: /Secret/ });
});
