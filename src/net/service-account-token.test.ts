// Tokens that a cluster's API server signs: good ones as jose makes them, and forged ones of every kind we know.
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { serviceAccountKeyId, type TokenAuthority } from './service-account-token.ts';
import { keyIdOf, signToken, tokenAudience } from './token.ts';
import { TokenVerifier } from './token-verifier.ts';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreignEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const seed = generateKeyPairSync('ed25519');
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const now = Date.UTC(2026, 5, 1);
const hour = 3_600_000;

const issuer = 'https://kubernetes.default.svc.cluster.local';
const subject = 'system:serviceaccount:kube-system:causeway-node-agent';
const authorityOf = (...keys: KeyObject[]): TokenAuthority => ({
  ...{ issuer, audience: tokenAudience, subject },
  keys: keys.map((key) => ({ id: serviceAccountKeyId(key), publicKey: pem(key) })),
});

function verifier(): TokenVerifier {
  const verifier = new TokenVerifier();
  verifier.trustSeed([pem(seed.publicKey)]);
  verifier.trustCluster('web', [authorityOf(ec.publicKey, rsa.publicKey)]);
  verifier.trustCluster('shop', [authorityOf(foreignEc.publicKey)]);
  return verifier;
}
const verdict = (token: string, at = now) => verifier().verify(token, at);

/** As kube-apiserver has them. */
const body = {
  iss: issuer,
  aud: [tokenAudience],
  sub: subject,
  iat: now / 1000,
  nbf: now / 1000,
  exp: (now + hour) / 1000,
  jti: '0a3c',
  'kubernetes.io': {
    namespace: 'kube-system',
    node: { name: 'n1.example', uid: 'c3f5' },
    serviceaccount: { name: 'causeway-node-agent', uid: 'a1' },
  },
};
const good = { ok: true, claims: { cluster: 'web', node: 'n1.example', issuedAt: now, expiresAt: now + hour } };
const bad = { ok: false, refusal: 'bad-token' };
const foreign = { ok: false, refusal: 'foreign-token' };

const text = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
type Seal = (signed: Buffer) => Buffer;
const es256: Seal = (signed) => sign('sha256', signed, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
const rs256: Seal = (signed) => sign('sha256', signed, rsa.privateKey);
const ecHead = { alg: 'ES256', kid: serviceAccountKeyId(ec.publicKey) };
const rsaHead = { alg: 'RS256', kid: serviceAccountKeyId(rsa.publicKey) };
function sealed(head: object, claims: unknown, seal: Seal): string {
  const signed = `${text(head)}.${text(claims)}`;
  return `${signed}.${seal(Buffer.from(signed)).toString('base64url')}`;
}
const with_ = (changes: object): object => ({ ...body, ...changes });
const boundTo = (node: unknown): object => with_({ 'kubernetes.io': { ...body['kubernetes.io'], node } });

describe('a service account’s token', () => {
  it('names its cluster by its key, and its node, whether it is signed with ES256 or RS256', async () => {
    for (const [head, key] of [
      [ecHead, ec.privateKey],
      [rsaHead, rsa.privateKey],
    ] as const)
      assert.deepEqual(verdict(await new SignJWT(body).setProtectedHeader(head).sign(key)), good, head.alg);
    assert.deepEqual(verdict(sealed(ecHead, body, es256)), good);
    assert.deepEqual(verdict(sealed(ecHead, with_({ aud: tokenAudience }), es256)), good);
  });

  it('ends when it says so, and begins no sooner than a minute before', () => {
    const token = sealed(ecHead, body, es256);
    assert.deepEqual(verdict(token, now + hour - 1), good);
    assert.deepEqual(verdict(token, now + hour), { ok: false, refusal: 'expired-token' });
    assert.deepEqual(verdict(token, now - 60_000), good);
    assert.deepEqual(verdict(token, now - 60_001), bad);
    assert.deepEqual(verdict(sealed(ecHead, with_({ nbf: body.nbf + 61 }), es256)), bad);
  });

  it('without a node is refused as such, once its signature was right', () => {
    const { node: _, ...rest } = body['kubernetes.io'];
    const without = with_({ 'kubernetes.io': rest });
    assert.deepEqual(verdict(sealed(ecHead, without, es256)), { ok: false, refusal: 'nodeless-token' });
    assert.deepEqual(verdict(sealed(ecHead, without, rs256)), bad);
    for (const node of [null, 'n1', {}, { name: 1 }, { name: '' }, { name: 'N1' }, { uid: 'c3f5' }, ['n1']])
      assert.deepEqual(verdict(sealed(ecHead, boundTo(node), es256)), bad, JSON.stringify(node));
    assert.deepEqual(verdict(sealed(ecHead, with_({ 'kubernetes.io': undefined }), es256)), bad);
  });

  it('for somebody else, of another account or of another issuer is refused', () => {
    const wrong = [
      { iss: 'https://kubernetes.default.svc' },
      { iss: undefined },
      { iss: [issuer] },
      { aud: ['system:konnectivity-server'] },
      { aud: [tokenAudience, issuer] },
      { aud: [] },
      { aud: [[tokenAudience]] },
      { aud: undefined },
      { sub: 'system:serviceaccount:default:causeway-node-agent' },
      { sub: undefined },
      { exp: undefined },
      { exp: body.iat },
      { exp: 1e300 },
      { iat: undefined, nbf: undefined },
      { iat: String(body.iat) },
    ];
    for (const changes of wrong) assert.deepEqual(verdict(sealed(ecHead, with_(changes), es256)), bad, text(changes));
  });

  it('of a key that nobody is known to have is foreign', () => {
    for (const kid of ['x', '', keyIdOf(seed.publicKey)])
      assert.deepEqual(verdict(sealed({ ...ecHead, kid }, body, es256)), foreign, kid);
    const seedsName = { alg: 'EdDSA', kid: ecHead.kid };
    assert.deepEqual(verdict(sealed(seedsName, body, (signed) => sign(null, signed, seed.privateKey))), foreign);
  });

  it('never has an algorithm that its key has not', () => {
    const publicTexts = [pem(ec.publicKey), pem(rsa.publicKey)];
    const hmac =
      (secret: string): Seal =>
      (signed) =>
        createHmac('sha256', secret).update(signed).digest();
    const nothing: Seal = () => Buffer.alloc(0);
    for (const head of [ecHead, rsaHead]) {
      for (const alg of ['none', 'None', 'HS256', 'HS512', 'ES384', 'PS256', 'RS512', ''])
        for (const seal of [nothing, es256, rs256, ...publicTexts.map(hmac)])
          assert.deepEqual(verdict(sealed({ ...head, alg }, body, seal)), bad, `${alg} instead of ${head.alg}`);
      assert.deepEqual(verdict(sealed(head, body, nothing)), bad);
    }
    assert.deepEqual(verdict(sealed({ ...ecHead, alg: 'RS256' }, body, rs256)), bad);
    assert.deepEqual(verdict(sealed({ ...rsaHead, alg: 'ES256' }, body, es256)), bad);
    // The same signature in the form of ASN.1, and numbers that fit every message (CVE-2022-21449).
    assert.deepEqual(verdict(sealed(ecHead, body, (signed) => sign('sha256', signed, ec.privateKey))), bad);
    assert.deepEqual(verdict(sealed(ecHead, body, () => Buffer.alloc(64))), bad);
    assert.deepEqual(verdict(sealed({ ...ecHead, crit: ['exp'] }, body, es256)), bad);
    assert.deepEqual(verdict(sealed({ alg: 'ES256' }, body, es256)), bad);
  });

  it('of one cluster never admits to another, whatever it says', () => {
    const ofShop: Seal = (signed) => sign('sha256', signed, { key: foreignEc.privateKey, dsaEncoding: 'ieee-p1363' });
    const shopHead = { alg: 'ES256', kid: serviceAccountKeyId(foreignEc.publicKey) };
    assert.deepEqual(verdict(sealed(ecHead, body, ofShop)), bad);
    const forged = with_({ cluster: 'web' });
    assert.deepEqual(verdict(sealed(shopHead, forged, ofShop)), {
      ok: true,
      claims: { ...good.claims, cluster: 'shop' },
    });
    const asSeed = { aud: tokenAudience, cluster: 'web', iat: body.iat, exp: body.exp };
    assert.deepEqual(verdict(sealed(shopHead, asSeed, ofShop)), bad);
  });

  it('of the seed is read as such beside it', () => {
    const claims = { cluster: 'web', issuedAt: now, expiresAt: now + hour };
    assert.deepEqual(verdict(signToken(claims, seed.privateKey)), { ok: true, claims });
    assert.deepEqual(
      verdict(sealed({ alg: 'EdDSA', kid: keyIdOf(seed.publicKey) }, body, (s) => sign(null, s, seed.privateKey))),
      bad,
    );
  });

  it('is good for as long as its key is the cluster’s, also when it was seen before', () => {
    const own = verifier();
    const tokens = [sealed(ecHead, body, es256), sealed(rsaHead, body, rs256)];
    for (const token of tokens) assert.deepEqual(own.verify(token, now), good);
    own.trustCluster('web', [authorityOf(rsa.publicKey)]);
    assert.deepEqual(
      tokens.map((token) => own.verify(token, now)),
      [foreign, good],
    );
    // It goes to another cluster in one change, in either order.
    own.trustCluster('shop', [authorityOf(rsa.publicKey)]);
    own.trustCluster('web', []);
    const ofShop = { ok: true, claims: { ...good.claims, cluster: 'shop' } };
    assert.deepEqual(own.verify(tokens[1] ?? '', now), ofShop);
    own.trustCluster('shop');
    assert.deepEqual(own.verify(tokens[1] ?? '', now), foreign);
  });

  it('is refused when any of it is another', () => {
    const own = verifier();
    const token = sealed(ecHead, body, es256);
    const place = fc.nat(token.length - 1);
    const letter = fc.constantFrom(...'ABZaz09-_.=\n');
    fc.assert(
      fc.property(place, letter, (at, sign) => {
        const forged = `${token.slice(0, at)}${sign}${token.slice(at + 1)}`;
        assert.equal(own.verify(forged, now).ok, forged === token);
      }),
      { numRuns: 2000 },
    );
  });

  it('is never good with claims or a head that somebody else made up, and nothing is thrown', () => {
    const own = verifier();
    const value = fc.jsonValue({ maxDepth: 2 });
    const head = fc.record({
      alg: fc.oneof(fc.constantFrom('ES256', 'RS256', 'EdDSA', 'none', 'HS256'), value),
      kid: fc.oneof(fc.constantFrom(ecHead.kid, rsaHead.kid, keyIdOf(seed.publicKey)), value),
    });
    const changes = fc.dictionary(fc.constantFrom(...Object.keys(body), 'cluster', '__proto__', 'constructor'), value);
    const seal = fc.uint8Array({ maxLength: 300 }).map((bytes) => () => Buffer.from(bytes));
    fc.assert(
      fc.property(head, changes, seal, (made, change, forge) => {
        assert.equal(own.verify(sealed(made, with_(change), forge), now).ok, false);
      }),
      { numRuns: 2000 },
    );
  });
});
