import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ConnectResponse } from '../connect-head.ts';
import { isInspector } from '../tls/certificate.ts';
import { diagnoseConnect } from './diagnose.ts';
import { diagnoseAnswer, schemesOf } from './diagnose-answer.ts';
import { diagnoseCertificate, diagnoseHandshake, type Handshake } from './diagnose-tls.ts';

const answer = (status: number, ...schemes: string[]): ConnectResponse => ({
  status,
  statusLine: `HTTP/1.1 ${status} Words`,
  headers: new Map([['proxy-authenticate', schemes]]),
});
const asked = { proxy: 'http://proxy:3128', target: 'gateway:443', port: 443, withCredentials: false };

test('finds every scheme that is offered, in one header or in several', () => {
  assert.deepEqual(schemesOf(answer(407, 'Negotiate', 'NTLM', 'basic realm="a, NTLM b"')), [
    'Negotiate',
    'NTLM',
    'basic',
  ]);
  assert.deepEqual(schemesOf(answer(407, 'Basic realm="x", Digest realm="y", nonce="z", qop="auth"')), [
    'Basic',
    'Digest',
  ]);
  assert.deepEqual(schemesOf(answer(407, 'Negotiate, NTLM, Basic realm="x"')), ['Negotiate', 'NTLM', 'Basic']);
  assert.deepEqual(schemesOf(answer(407, 'NTLM TlRMTVNTUAAC==')), ['NTLM']);
});

test('every status has a sentence, a code and a fix', () => {
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), fc.boolean(), (status, withCredentials) => {
      const { code, message, fix } = diagnoseAnswer({ ...asked, withCredentials }, answer(status));
      assert.match(code, /^CW-PROXY-[A-Z-]+$/);
      assert.ok(message.includes(`HTTP/1.1 ${status} Words`) && message.includes('gateway:443'));
      assert.ok(fix.length > 10);
    }),
  );
});

const handshake: Handshake = {
  peer: 'gateway:443',
  serverName: 'tunnel.example',
  trust: { file: 'ca.pem', subjects: ['CN=Gateway CA'] },
  caFlag: '--ca',
  nameFlag: '--name',
};
const presented = {
  subject: 'CN=tunnel.example',
  issuer: 'CN=Gateway CA',
  names: ['tunnel.example'],
  validFrom: '2031-01-01',
  validTo: '2032-01-01',
};

test('says when a certificate expired, and when it is not valid yet', () => {
  const expired = diagnoseCertificate(handshake, 'CERT_HAS_EXPIRED', presented);
  assert.equal(expired.code, 'CW-TLS-EXPIRED');
  assert.match(expired.message, /has expired on 2032-01-01/);
  const early = diagnoseCertificate(handshake, 'CERT_NOT_YET_VALID', presented);
  assert.equal(early.code, 'CW-TLS-NOT-YET');
  assert.match(early.message, /not valid before 2031-01-01/);
});

test('calls it interception by the name of an inspecting product, also without a proxy', () => {
  const issuer = 'CN=Zscaler Intermediate Root CA, O=Zscaler Inc.';
  const found = diagnoseCertificate(handshake, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', { ...presented, issuer });
  assert.equal(found.code, 'CW-TLS-INTERCEPTED');
  assert.ok(found.message.includes(issuer));
});

test('does not call a public authority an inspector', () => {
  for (const issuer of ["CN=R11, O=Let's Encrypt", 'CN=DigiCert Global G2, O=DigiCert Inc', 'CN=kubernetes'])
    assert.equal(isInspector(issuer), false, issuer);
});

test('reads alerts of the other side', () => {
  const alert = (code: string): string => diagnoseHandshake(handshake, Object.assign(new Error('x'), { code })).code;
  assert.equal(alert('ERR_SSL_TLSV1_UNRECOGNIZED_NAME'), 'CW-TLS-UNKNOWN-NAME');
  assert.equal(alert('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'CW-TLS-ALERT');
  assert.equal(alert('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'), 'CW-TLS-ALPN');
  assert.equal(alert('ERR_SSL_WRONG_VERSION_NUMBER'), 'CW-TLS-NOT-TLS');
  assert.equal(alert('ECONNRESET'), 'CW-TLS-CUT');
});

test('every error of a connect has a code and a fix', () => {
  for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'ETIMEDOUT', 'EWHATEVER']) {
    const found = diagnoseConnect('a:1', Object.assign(new Error(code), { code }));
    assert.match(found.code, /^CW-DIAL-/);
    assert.ok(found.message.includes('a:1'));
  }
});
