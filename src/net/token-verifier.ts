// Whose token it is: of a seed's key, or of a cluster's own authority. Nothing of a token is ever put into words.
import { hash } from 'node:crypto';
import { type Claims, isSignedBy, readJwt, type SigningKey, signingKey } from './jwt.ts';
import { serviceAccountClaims, type TokenAuthority } from './service-account-token.ts';
import { keyIdOf, seedClaims, type TokenClaims } from './token.ts';

export type TokenRefusal = 'bad-token' | 'expired-token' | 'foreign-token' | 'nodeless-token' | 'too-many-signatures';
export type TokenVerdict =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly refusal: TokenRefusal };

/** Clocks may differ by this much. */
const skewMs = 60_000;
/** How long a wrong signature is remembered. */
const badForMs = 10_000;

const refused = (refusal: TokenRefusal): TokenVerdict => ({ ok: false, refusal });
const [bad, expired, foreign] = [refused('bad-token'), refused('expired-token'), refused('foreign-token')];
const [nodeless, tooMany] = [refused('nodeless-token'), refused('too-many-signatures')];

export interface VerifierOptions {
  /** Tokens that are remembered: good ones, and bad ones. @default 4096 */
  readonly most?: number;
  /** Asked before each signature: false puts it off. @default always */
  readonly mayVerify?: () => boolean;
}

/** A key that is trusted now, and how the claims of its tokens are read. */
interface TrustedKey extends SigningKey {
  readonly id: string;
  readonly read: (claims: Claims) => TokenClaims | 'bad-token' | 'nodeless-token';
  /** It was taken back: nor are tokens good any more that were. */
  revoked: boolean;
}

interface Remembered {
  readonly key: TrustedKey;
  readonly claims: TokenClaims;
}

/**
 * A token that was good is remembered, because agents show the same one for every connection; its time is looked at each
 * time. One that was bad is remembered for a moment, by its digest.
 */
export class TokenVerifier {
  readonly #most: number;
  readonly #mayVerify: () => boolean;
  readonly #seedKeys = new Map<string, TrustedKey>();
  /** By the name of the key. A name says which cluster a token is of, so no two have the same. */
  readonly #clusterKeys = new Map<string, TrustedKey>();
  readonly #ofCluster = new Map<string, readonly TrustedKey[]>();
  readonly #known = new Map<string, Remembered>();
  readonly #badUntil = new Map<string, number>();

  constructor({ most = 4096, mayVerify = () => true }: VerifierOptions = {}) {
    this.#most = most;
    this.#mayVerify = mayVerify;
  }

  /** Those of the seed (PEM, Ed25519), and no others: more than one while they are rotated. */
  trustSeed(publicKeys: readonly string[]): void {
    const wanted = publicKeys.map(seedKey);
    const ids = new Set(wanted.map(({ id }) => id));
    for (const key of this.#seedKeys.values()) if (!ids.has(key.id)) revoke(this.#seedKeys, key);
    for (const key of wanted) if (!this.#seedKeys.has(key.id)) this.#seedKeys.set(key.id, key);
  }

  /** Those of one cluster, and no others of it. */
  trustCluster(cluster: string, authorities: readonly TokenAuthority[] = []): void {
    for (const key of this.#ofCluster.get(cluster) ?? []) revoke(this.#clusterKeys, key);
    const keys = authorities.flatMap((authority) => keysOf(cluster, authority));
    if (keys.length === 0) this.#ofCluster.delete(cluster);
    else this.#ofCluster.set(cluster, keys);
    for (const key of keys) this.#clusterKeys.set(key.id, key);
  }

  /** At this time (milliseconds). */
  verify(token: string, now: number): TokenVerdict {
    const hit = this.#known.get(token);
    if (hit !== undefined && !hit.key.revoked) return atTime(hit.claims, now);
    return this.#verifyAnew(token, now);
  }

  #verifyAnew(token: string, now: number): TokenVerdict {
    this.#known.delete(token);
    const read = readJwt(token);
    if (read === undefined) return bad;
    const key = (read.algorithm === 'EdDSA' ? this.#seedKeys : this.#clusterKeys).get(read.keyId);
    if (key === undefined) return isAlgorithm(read.algorithm) ? foreign : bad;
    if (read.algorithm !== key.algorithm) return bad;
    const claims = key.read(read.claims);
    if (claims === 'bad-token') return bad;
    const digest = hash('sha256', token, 'base64');
    if ((this.#badUntil.get(digest) ?? 0) > now) return bad;
    if (!this.#mayVerify()) return tooMany;
    if (!isSignedBy(read, key)) {
      remember(this.#badUntil, digest, now + badForMs, this.#most);
      return bad;
    }
    if (claims === 'nodeless-token') return nodeless;
    remember(this.#known, token, { key, claims }, this.#most);
    return atTime(claims, now);
  }
}

const isAlgorithm = (name: string): boolean => name === 'EdDSA' || name === 'ES256' || name === 'RS256';

function seedKey(pem: string): TrustedKey {
  const key = signingKey(pem);
  return { ...key, id: keyIdOf(key.key), read: seedClaims, revoked: false };
}

const keysOf = (cluster: string, { keys, ...expected }: TokenAuthority): TrustedKey[] =>
  keys.map(({ id, publicKey }) => ({
    ...signingKey(publicKey),
    id,
    read: (claims) => serviceAccountClaims(claims, { ...expected, cluster }),
    revoked: false,
  }));

function revoke(keys: Map<string, TrustedKey>, key: TrustedKey): void {
  key.revoked = true;
  // Another cluster may have it by now.
  if (keys.get(key.id) === key) keys.delete(key.id);
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value, most: number): void {
  const [oldest] = known.size >= most ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  known.set(key, value);
}

function atTime(claims: TokenClaims, now: number): TokenVerdict {
  if (claims.expiresAt <= now) return expired;
  return claims.issuedAt > now + skewMs ? bad : { ok: true, claims };
}
