// What an agent shows at the tunnel: a JSON Web Token (RFC 7519) signed with Ed25519 (RFC 8037). One algorithm, one form,
// read with node:crypto only. Everything that is not exactly right is refused; nothing of a token is ever put into words.
import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

export const tokenAudience = 'causeway-tunnel';
/** Clocks may differ by this much. */
const skewSeconds = 60;
const longestToken = 4096;

export interface TokenClaims {
  readonly cluster: string;
  /** Milliseconds, as everywhere; the token itself has seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}
export type TokenRefusal = 'bad-token' | 'expired-token' | 'foreign-token' | 'too-many-signatures';
export type TokenVerdict =
  | { readonly ok: true; readonly cluster: string; readonly expiresAt: number }
  | { readonly ok: false; readonly refusal: TokenRefusal };
/** Whose token it is at this time (milliseconds). */
export type TokenVerifier = (token: string, now: number) => TokenVerdict;

/** Short name of a key, so that a verifier with several need not try them all. */
export const keyIdOf = (publicKey: KeyObject): string =>
  hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url').slice(0, 16);

export function signToken({ cluster, issuedAt, expiresAt }: TokenClaims, privateKey: KeyObject): string {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: keyIdOf(createPublicKey(privateKey)) };
  const claims = {
    aud: tokenAudience,
    cluster,
    iat: Math.floor(issuedAt / 1000),
    exp: Math.floor(expiresAt / 1000),
  };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const refused = (refusal: TokenRefusal): TokenVerdict => ({ ok: false, refusal });
const [bad, expired, foreign] = [refused('bad-token'), refused('expired-token'), refused('foreign-token')];
const tooMany = refused('too-many-signatures');

export interface VerifierOptions {
  /** Tokens that are remembered: good ones, and bad ones. @default 4096 */
  readonly most?: number;
  /** Asked before each signature: false puts it off. @default always */
  readonly mayVerify?: () => boolean;
}

/** How long a wrong signature is remembered. */
const badForMs = 10_000;

/**
 * Several keys while they are rotated. A token that was good is remembered, because agents show the same one for every
 * connection; its time is looked at each time. One that was bad is remembered for a moment, by its digest.
 */
export function createVerifier(publicKeys: readonly string[], options: VerifierOptions = {}): TokenVerifier {
  const { most = 4096, mayVerify = () => true } = options;
  const keys = new Map(publicKeys.map((pem) => createPublicKey(pem)).map((key) => [keyIdOf(key), key]));
  const known = new Map<string, TokenClaims>();
  const badUntil = new Map<string, number>();
  return (token, now) => {
    const hit = known.get(token);
    if (hit !== undefined) return atTime(hit, now);
    const read = readToken(token, keys);
    if (typeof read === 'string') return read === 'foreign' ? foreign : bad;
    const digest = hash('sha256', token, 'base64');
    if ((badUntil.get(digest) ?? 0) > now) return bad;
    if (!mayVerify()) return tooMany;
    if (!verify(null, read.signed, read.key, read.signature)) {
      remember(badUntil, digest, now + badForMs, most);
      return bad;
    }
    remember(known, token, read.claims, most);
    return atTime(read.claims, now);
  };
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value, most: number): void {
  const [oldest] = known.size >= most ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  known.set(key, value);
}

function atTime({ cluster, issuedAt, expiresAt }: TokenClaims, now: number): TokenVerdict {
  if (expiresAt <= now) return expired;
  return issuedAt > now + skewSeconds * 1000 ? bad : { ok: true, cluster, expiresAt };
}

interface SignedClaims {
  readonly claims: TokenClaims;
  readonly key: KeyObject;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** The form; whether the signature is right, and its time, are other matters. */
function readToken(token: string, keys: ReadonlyMap<string, KeyObject>): SignedClaims | 'bad' | 'foreign' {
  if (token.length > longestToken) return 'bad';
  const [head = '', body = '', seal = '', ...rest] = token.split('.', 4);
  const header = rest.length > 0 ? undefined : objectIn(head);
  const said = objectIn(body);
  const signature = bytesIn(seal);
  if (header === undefined || said === undefined || signature?.length !== 64) return 'bad';
  if (header.alg !== 'EdDSA' || Object.hasOwn(header, 'crit') || typeof header.kid !== 'string') return 'bad';
  const key = keys.get(header.kid);
  if (key === undefined) return 'foreign';
  const claims = claimsIn(said);
  const signed = Buffer.from(token.slice(0, head.length + 1 + body.length), 'latin1');
  return claims === 'bad' ? claims : { claims, key, signed, signature };
}

/** One text for one value: with other letters, padding or spare bits it is another token. */
function bytesIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = bytesIn(text);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function claimsIn({ aud, cluster, iat, exp, nbf = iat }: Readonly<Record<string, unknown>>): TokenClaims | 'bad' {
  if (aud !== tokenAudience || typeof cluster !== 'string' || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(cluster)) return 'bad';
  if (!isTime(iat) || !isTime(nbf) || !isTime(exp) || exp <= iat) return 'bad';
  return { cluster, issuedAt: Math.max(iat, nbf) * 1000, expiresAt: exp * 1000 };
}
const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 1e11;
