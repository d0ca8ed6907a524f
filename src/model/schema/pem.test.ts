import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { it } from 'node:test';
import { certificate, ed25519Key } from './scalars.ts';

const keyOf = (type: 'ed25519' | 'ed448' | 'x25519'): string =>
  generateKeyPairSync(type as 'ed25519')
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();
const isKey = (text: string): boolean => ed25519Key.safeParse(text).success;
const isCertificate = (text: string): boolean => certificate.safeParse(text).success;

it('every Ed25519 public key in PEM is one, however its lines end', () => {
  for (let i = 0; i < 20; i++) {
    const pem = keyOf('ed25519');
    for (const text of [pem, pem.trim(), pem.replaceAll('\n', '\r\n'), `\n  ${pem.replaceAll('\n', '\n  ')}`])
      assert.ok(isKey(text), text);
  }
});

it('other keys, two keys, half a key and no key are refused', () => {
  const pem = keyOf('ed25519');
  for (const text of [
    '',
    'key',
    keyOf('ed448'),
    keyOf('x25519'),
    pem + pem,
    pem.slice(0, 90),
    pem.replace('BEGIN', 'START'),
  ])
    assert.equal(isKey(text), false, text);
});

it('one certificate is accepted, two are not', () => {
  const lines = Array.from({ length: 8 }, (_, i) => (i === 0 ? 'MIIB' : '').padEnd(64, 'A')).join('\n');
  const pem = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  assert.ok(isCertificate(pem));
  for (const text of [
    pem + pem,
    pem.replace('MIIB', '!!!!'),
    pem.replaceAll('CERTIFICATE', 'PUBLIC KEY'),
    keyOf('ed25519'),
  ])
    assert.equal(isCertificate(text), false);
});

it('a long text that nearly is a certificate takes no time to refuse', () => {
  const started = performance.now();
  assert.equal(isCertificate(`-----BEGIN CERTIFICATE-----\n${'A \n'.repeat(20_000)}`), false);
  assert.ok(performance.now() - started < 2000);
});
