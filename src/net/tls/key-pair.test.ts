import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfSigned } from '../wire/testing/certificate.ts';
import { assertKeyPair } from './trust.ts';

const [first, second] = [selfSigned('first.example'), selfSigned('second.example')];

test('a certificate and its key are taken', () => {
  assertKeyPair(first);
});

test('files that are half written, empty or of different pairs are refused', () => {
  const bad: Record<string, { cert: string; key: string }> = {
    'no certificate': { ...first, cert: '' },
    'no key': { ...first, key: '' },
    'half a certificate': { ...first, cert: first.cert.slice(0, first.cert.length / 2) },
    'half a key': { ...first, key: first.key.slice(0, first.key.length / 2) },
    'the key of another': { cert: first.cert, key: second.key },
    'a key as certificate': { cert: first.key, key: first.key },
  };
  for (const [what, pair] of Object.entries(bad)) assert.throws(() => assertKeyPair(pair), what);
});
