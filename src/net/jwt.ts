// JSON Web Tokens (RFC 7519) as far as we read them, with node:crypto only. Which algorithm a token has is said by the key
// that it names, and never by the token; everything that is not exactly right is refused.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';

const longestToken = 4096;

/** Its form is right; nothing of it is believed yet. */
export interface UnverifiedToken {
  readonly algorithm: string;
  readonly keyId: string;
  readonly claims: Claims;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

export type Claims = Readonly<Record<string, unknown>>;

export function readJwt(token: string): UnverifiedToken | undefined {
  if (token.length > longestToken) return undefined;
  const [head = '', body = '', seal = '', ...rest] = token.split('.', 4);
  const header = rest.length > 0 ? undefined : objectIn(head);
  const claims = objectIn(body);
  const signature = bytesIn(seal);
  if (header === undefined || claims === undefined || signature === undefined) return undefined;
  const { alg, kid } = header;
  if (Object.hasOwn(header, 'crit') || typeof alg !== 'string' || typeof kid !== 'string') return undefined;
  const signed = Buffer.from(token.slice(0, head.length + 1 + body.length), 'latin1');
  return { algorithm: alg, keyId: kid, claims, signed, signature };
}

/** One text for one value: with other letters, padding or spare bits it is another token. */
function bytesIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function objectIn(text: string): Claims | undefined {
  const bytes = bytesIn(text);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Milliseconds, as everywhere; the token itself has seconds. */
export interface TokenTimes {
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A token is not good before the later of its two beginnings. */
export function timesIn({ iat, exp, nbf = iat }: Claims): TokenTimes | undefined {
  if (!isTime(iat) || !isTime(nbf) || !isTime(exp) || exp <= iat) return undefined;
  return { issuedAt: Math.max(iat, nbf) * 1000, expiresAt: exp * 1000 };
}
const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 1e11;

// Keys. Each has one algorithm, which follows from what it is.

export type Algorithm = 'EdDSA' | 'ES256' | 'RS256';

/** Undefined for a key that no token is signed with here, as one that is too short. */
export function algorithmOf(key: KeyObject): Algorithm | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (key.type !== 'public') return undefined;
  if (type === 'ed25519') return 'EdDSA';
  if (type === 'ec') return details?.namedCurve === 'prime256v1' ? 'ES256' : undefined;
  return type === 'rsa' && (details?.modulusLength ?? 0) >= 2048 ? 'RS256' : undefined;
}

export interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
}

export function signingKey(pem: string): SigningKey {
  const key = createPublicKey(pem);
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) throw new TypeError(`tokens are not signed with keys of type ${key.asymmetricKeyType}`);
  return { key, algorithm };
}

/** Those of JWT are the two numbers side by side (RFC 7518, 3.4), not a structure of ASN.1. */
export function isSignedBy({ signed, signature }: UnverifiedToken, { key, algorithm }: SigningKey): boolean {
  if (algorithm === 'EdDSA') return signature.length === 64 && verify(null, signed, key, signature);
  if (algorithm === 'RS256') return verify('sha256', signed, key, signature);
  return signature.length === 64 && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
}
