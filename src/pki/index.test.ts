import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  createAuthority,
  createTokenKeys,
  issueClient,
  issueLeaf,
  issueServer,
  validFor,
  validForMs,
} from './index.ts';

const now = new Date('2026-06-01T12:00:00Z');
const authority = await createAuthority('Gateway authority', validFor(now, 3650));
const ca = new X509Certificate(authority.certificate);
const year = validFor(now, 365);

describe('an authority', () => {
  it('is one, and signed by itself', () => {
    assert.equal(ca.ca, true);
    assert.equal(ca.subject, 'CN=Gateway authority');
    assert.ok(ca.verify(ca.publicKey));
    assert.ok(ca.checkPrivateKey(createPrivateKey(authority.key)));
  });

  it('is valid from a day before now, for as long as was asked for', () => {
    assert.deepEqual(
      [ca.validFromDate, ca.validToDate],
      [new Date('2026-05-31T11:00:00Z'), new Date('2036-05-29T12:00:00Z')],
    );
  });
});

describe('the certificate of a server', () => {
  it('is for its names and addresses, and for no others', async () => {
    const names = ['tunnel.west.example.com', '*.west.example.com', '192.0.2.7', '2001:db8::7'];
    const issued = await issueServer(authority, names, year);
    const certificate = new X509Certificate(issued.certificate);
    assert.ok(certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(issued.key)));
    assert.equal(certificate.ca, false);
    for (const name of ['tunnel.west.example.com', 'web.west.example.com'])
      assert.equal(certificate.checkHost(name) !== undefined, true, name);
    for (const ip of ['192.0.2.7', '2001:db8::7']) assert.equal(certificate.checkIP(ip), ip);
    assert.equal(certificate.checkHost('west.example.com'), undefined);
    assert.equal(certificate.checkIP('192.0.2.8'), undefined);
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });
});

describe('the certificate of a client', () => {
  it('names its cluster, whatever letters are in the name of the organization', async () => {
    const issued = await issueClient(authority, { organization: 'causeway:tunnel', commonName: 'web' }, year);
    const certificate = new X509Certificate(issued.certificate);
    assert.equal(certificate.subject, 'O=causeway:tunnel\nCN=web');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.ok(certificate.verify(ca.publicKey));
    const odd = await issueClient(authority, { organization: 'a+b=c, d"e\\', commonName: 'x' }, year);
    assert.deepEqual(
      { ...new X509Certificate(odd.certificate).toLegacyObject().subject },
      { O: 'a+b=c, d"e\\', CN: 'x' },
    );
  });

  it('can be of several organizations, which are groups to Kubernetes', async () => {
    const issued = await issueClient(authority, { organization: ['a', 'b'], commonName: 'x' }, year);
    assert.equal(new X509Certificate(issued.certificate).subject, 'O=a\nO=b\nCN=x');
  });

  it('is made anew for the key that is there', async () => {
    const subject = { commonName: 'x' };
    const first = await issueClient(authority, subject, year);
    const validity = validForMs(now, 120_000);
    const second = await issueLeaf(authority, { subject, usage: 'both', validity, key: first.key });
    const certificate = new X509Certificate(second.certificate);
    assert.ok(certificate.checkPrivateKey(createPrivateKey(first.key)));
    assert.deepEqual(certificate.validToDate, new Date('2026-06-01T12:02:00Z'));
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  it('has a number of its own', async () => {
    const one = await issueClient(authority, { commonName: 'x' }, year);
    const other = await issueClient(authority, { commonName: 'x' }, year);
    assert.notEqual(
      new X509Certificate(one.certificate).serialNumber,
      new X509Certificate(other.certificate).serialNumber,
    );
  });
});

describe('keys for tokens', () => {
  it('are a pair of Ed25519', () => {
    const { privateKey, publicKey } = createTokenKeys();
    assert.equal(createPublicKey(publicKey).asymmetricKeyType, 'ed25519');
    assert.ok(createPublicKey(createPrivateKey(privateKey)).equals(createPublicKey(publicKey)));
  });
});
