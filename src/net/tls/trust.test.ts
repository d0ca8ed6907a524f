import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scratch } from '../../../test/support/cli.ts';
import { createAuthority } from '../../../test/support/gateway/certificates.ts';
import { silentLog } from '../../sys/log.ts';
import { trustOf } from './trust.ts';

const clock = () => {
  const at = { now: 0 };
  return { at, options: { log: silentLog, now: () => at.now } };
};

test('makes a context once, and another when the authorities have changed', (t) => {
  const dir = scratch(t);
  const ca = path.join(dir, 'ca.pem');
  const one = createAuthority(path.join(dir, 'one'), 'One CA');
  const two = createAuthority(path.join(dir, 'two'), 'Two CA');
  copyFileSync(one.certFile, ca);
  const { at, options } = clock();
  const trusting = trustOf({ ca }, options);
  const before = trusting();
  assert.equal(trusting(), before);
  assert.deepEqual(before.trust, { file: ca, subjects: ['CN=One CA'] });
  writeFileSync(ca, one.cert + two.cert);
  at.now += 1_000;
  assert.deepEqual(trusting().trust.subjects, ['CN=One CA', 'CN=Two CA']);
  assert.notEqual(trusting().context, before.context);
});

test('keeps the old pair while a new certificate and its key do not fit yet', (t) => {
  const dir = scratch(t);
  const authority = createAuthority(path.join(dir, 'one'), 'One CA');
  const [first, second] = [authority.issue({ commonName: 'a' }), authority.issue({ commonName: 'b' })];
  const files = { certFile: path.join(dir, 'tls.crt'), keyFile: path.join(dir, 'tls.key') };
  copyFileSync(first.certFile, files.certFile);
  copyFileSync(first.keyFile, files.keyFile);
  const { at, options } = clock();
  const trusting = trustOf({ ca: authority.certFile, certificate: files }, options);
  const before = trusting();
  copyFileSync(second.certFile, files.certFile);
  at.now += 1_000;
  assert.equal(trusting(), before);
  copyFileSync(second.keyFile, files.keyFile);
  at.now += 1_000;
  assert.notEqual(trusting(), before);
});

test('refuses a file without certificates at once', (t) => {
  const ca = path.join(scratch(t), 'ca.pem');
  writeFileSync(ca, 'nothing');
  assert.throws(() => trustOf({ ca }, { log: silentLog })(), /no certificate in it/);
});

test('believes the authorities of the system when none are named', () => {
  assert.equal(trustOf({}, { log: silentLog })().trust.file, undefined);
});
