import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { keyIdOf, signToken, tokenAudience } from './token.ts';
import { type TokenVerdict, TokenVerifier, type VerifierOptions } from './token-verifier.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const now = Date.UTC(2026, 5, 1);
const hour = 3_600_000;
const claims = { cluster: 'web', issuedAt: now, expiresAt: now + hour };
function createVerifier(
  keys: readonly string[],
  options?: VerifierOptions,
): (token: string, at: number) => TokenVerdict {
  const verifier = new TokenVerifier(options);
  verifier.trustSeed(keys);
  return (token, at) => verifier.verify(token, at);
}
const verdict = (token: string, at = now) => createVerifier([pem(publicKey)])(token, at);
const bad = { ok: false, refusal: 'bad-token' };

const text = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signed as it is, however wrong. */
function signedAs(header: object, body: unknown, key = privateKey): string {
  const signed = `${text(header)}.${text(body)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}
const goodHeader = { alg: 'EdDSA', kid: keyIdOf(publicKey) };
const goodBody = { aud: tokenAudience, cluster: 'web', iat: now / 1000, exp: (now + hour) / 1000 };

describe('a token', () => {
  it('names its cluster until it expires', () => {
    const token = signToken(claims, privateKey);
    const good = { ok: true, claims };
    assert.deepEqual(verdict(token), good);
    assert.deepEqual(verdict(token, now + hour - 1), good);
    assert.deepEqual(verdict(token, now + hour), { ok: false, refusal: 'expired-token' });
  });

  it('names the node of its agent where it is told', () => {
    const token = signToken({ ...claims, node: 'n1.example' }, privateKey);
    assert.deepEqual(verdict(token), { ok: true, claims: { ...claims, node: 'n1.example' } });
    for (const node of ['', 'N1', 'n1/n2', '-n', 'n'.repeat(254), 1, null, ['n1']])
      assert.deepEqual(verdict(signedAs(goodHeader, { ...goodBody, node })), bad, String(node));
  });

  it('of a key that was taken back is not good any more, although it was seen before', () => {
    const verifier = new TokenVerifier();
    verifier.trustSeed([pem(publicKey), pem(other.publicKey)]);
    const [first, second] = [signToken(claims, privateKey), signToken(claims, other.privateKey)];
    for (const token of [first, second]) assert.equal(verifier.verify(token, now).ok, true);
    verifier.trustSeed([pem(other.publicKey)]);
    assert.deepEqual(verifier.verify(first, now), { ok: false, refusal: 'foreign-token' });
    assert.equal(verifier.verify(second, now).ok, true);
  });

  it('expires too when it was seen before', () => {
    const verify = createVerifier([pem(publicKey)]);
    const token = signToken(claims, privateKey);
    assert.equal(verify(token, now).ok, true);
    assert.deepEqual(verify(token, now + hour), { ok: false, refusal: 'expired-token' });
  });

  it('of another key is foreign', () => {
    assert.deepEqual(verdict(signToken(claims, other.privateKey)), { ok: false, refusal: 'foreign-token' });
    assert.deepEqual(createVerifier([])(signToken(claims, privateKey), now), { ok: false, refusal: 'foreign-token' });
  });

  it('of each of several keys is good, while they are rotated', () => {
    const verify = createVerifier([pem(publicKey), pem(other.publicKey)]);
    for (const key of [privateKey, other.privateKey]) assert.equal(verify(signToken(claims, key), now).ok, true);
  });

  it('may come from a clock that is a minute ahead, and not more', () => {
    assert.equal(verdict(signToken({ ...claims, issuedAt: now + 60_000 }, privateKey)).ok, true);
    assert.deepEqual(verdict(signToken({ ...claims, issuedAt: now + 61_000 }, privateKey)), bad);
  });

  it('is refused with the signature of another key under the name of a known one', () => {
    assert.deepEqual(verdict(signedAs(goodHeader, goodBody, other.privateKey)), bad);
  });

  it('is refused when one character of it is another', () => {
    const token = signToken(claims, privateKey);
    for (let i = 0; i < token.length; i++) {
      const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      assert.equal(verdict(changed).ok, false, `character ${i}`);
    }
  });

  it('is refused in every other form', () => {
    const good = signedAs(goodHeader, goodBody);
    assert.equal(verdict(good).ok, true);
    const { iat: _, ...withoutIat } = goodBody;
    const { exp: __, ...withoutExp } = goodBody;
    const wrong = [
      '',
      '..',
      good.slice(0, good.lastIndexOf('.') + 1),
      `${good}.`,
      `${good}=`,
      ` ${good}`,
      good.replace('.', '=.'),
      `${good}${'A'.repeat(5000)}`,
      signedAs({ ...goodHeader, alg: 'none' }, goodBody),
      signedAs({ ...goodHeader, alg: 'eddsa' }, goodBody),
      signedAs({ ...goodHeader, alg: 'HS256' }, goodBody),
      signedAs({ ...goodHeader, crit: ['exp'] }, goodBody),
      signedAs({ alg: 'EdDSA' }, goodBody),
      signedAs(goodHeader, [goodBody]),
      signedAs(goodHeader, 'web'),
      signedAs(goodHeader, withoutIat),
      signedAs(goodHeader, withoutExp),
      signedAs(goodHeader, { ...goodBody, exp: String(goodBody.exp) }),
      signedAs(goodHeader, { ...goodBody, exp: goodBody.iat }),
      signedAs(goodHeader, { ...goodBody, exp: 1e300 }),
      signedAs(goodHeader, { ...goodBody, aud: 'somebody-else' }),
      signedAs(goodHeader, { ...goodBody, aud: [tokenAudience] }),
      signedAs(goodHeader, { ...goodBody, cluster: ['web'] }),
      signedAs(goodHeader, { ...goodBody, cluster: 'We b' }),
      signedAs(goodHeader, { ...goodBody, cluster: '' }),
      signedAs(goodHeader, { ...goodBody, nbf: goodBody.iat + 61 }),
    ];
    for (const token of wrong) assert.deepEqual(verdict(token), bad, token);
  });

  it('with a wrong signature costs one check, and for a while no other', () => {
    let checks = 0;
    const mayVerify = (): boolean => {
      checks += 1;
      return true;
    };
    const verify = createVerifier([pem(publicKey)], { mayVerify, most: 2 });
    const forged = Array.from({ length: 3 }, (_, i) => signedAs(goodHeader, { ...goodBody, i }, other.privateKey));
    const [first = '', second = '', third = ''] = forged;
    for (let count = 0; count < 10; count += 1) assert.deepEqual(verify(first, now + count), bad);
    assert.equal(checks, 1);
    assert.deepEqual(verify(first, now + 10_000), bad);
    assert.equal(checks, 2);
    // Of so many that were bad the oldest is forgotten.
    for (const token of [second, third, first]) assert.deepEqual(verify(token, now + 10_001), bad);
    assert.equal(checks, 5);
  });

  it('is put off where more signatures come than are checked, unless it was good before', () => {
    let may = true;
    const verify = createVerifier([pem(publicKey)], { mayVerify: () => may });
    const token = signToken(claims, privateKey);
    assert.equal(verify(token, now).ok, true);
    may = false;
    const tooMany = { ok: false, refusal: 'too-many-signatures' };
    assert.deepEqual(verify(signToken({ ...claims, cluster: 'two' }, privateKey), now), tooMany);
    assert.deepEqual(verify(signedAs(goodHeader, goodBody, other.privateKey), now), tooMany);
    assert.equal(verify(token, now).ok, true);
    may = true;
    assert.equal(verify(signToken({ ...claims, cluster: 'two' }, privateKey), now).ok, true);
  });

  it('is remembered for a limited number of agents', () => {
    const verify = createVerifier([pem(publicKey)], { most: 8 });
    const tokens = Array.from({ length: 20 }, (_, i) => signToken({ ...claims, cluster: `c${i}` }, privateKey));
    for (const [i, token] of tokens.entries()) {
      const result = verify(token, now);
      assert.equal(result.ok && result.claims.cluster, `c${i}`);
    }
    assert.equal(verify(tokens[0] ?? '', now).ok, true);
  });
});

describe('jose', () => {
  it('accepts what we sign', async () => {
    const token = signToken(claims, privateKey);
    const options = { audience: tokenAudience, algorithms: ['EdDSA'], currentDate: new Date(now) };
    const { payload } = await jwtVerify(token, publicKey, options);
    assert.deepEqual(payload, goodBody);
    assert.equal(decodeProtectedHeader(token).kid, keyIdOf(publicKey));
  });

  it('signs what we accept', async () => {
    const token = await new SignJWT({ cluster: 'web' })
      .setProtectedHeader({ alg: 'EdDSA', kid: keyIdOf(publicKey), typ: 'JWT' })
      .setAudience(tokenAudience)
      .setIssuedAt(goodBody.iat)
      .setExpirationTime(goodBody.exp)
      .sign(privateKey);
    assert.deepEqual(verdict(token), { ok: true, claims });
  });
});
