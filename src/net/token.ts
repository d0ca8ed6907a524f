// Tokens of a seed: what an agent shows at the tunnel, signed with Ed25519 (RFC 8037) by the seed's key. They name a cluster,
// and where it is known the node of the agent.
import { createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { isNodeName } from '../core/names.ts';
import { type Claims, type TokenTimes, timesIn } from './jwt.ts';

export const tokenAudience = 'causeway-tunnel';

/** Whose agent it is. */
export interface TokenIdentity {
  readonly cluster: string;
  /** Absent: any of the cluster's. */
  readonly node?: string;
  /** Milliseconds. */
  readonly issuedAt: number;
}
export interface TokenClaims extends TokenIdentity, TokenTimes {}

/** Short name of a key, so that a verifier with several need not try them all. */
export const keyIdOf = (publicKey: KeyObject): string =>
  hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url').slice(0, 16);

export function signToken({ cluster, node, issuedAt, expiresAt }: TokenClaims, privateKey: KeyObject): string {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: keyIdOf(createPublicKey(privateKey)) };
  const claims = {
    aud: tokenAudience,
    cluster,
    ...(node === undefined ? {} : { node }),
    iat: Math.floor(issuedAt / 1000),
    exp: Math.floor(expiresAt / 1000),
  };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function seedClaims(claims: Claims): TokenClaims | 'bad-token' {
  const { aud, cluster, node } = claims;
  if (aud !== tokenAudience || typeof cluster !== 'string' || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(cluster))
    return 'bad-token';
  const times = timesIn(claims);
  if (times === undefined || (node !== undefined && !isNodeName(node))) return 'bad-token';
  return { cluster, ...(node === undefined ? {} : { node }), ...times };
}
