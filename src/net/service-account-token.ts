// Tokens of a cluster: what its API server gives a service account (TokenRequest, or a projected volume), bound to a node or
// to a pod on it. They are verified offline, by the public key with which the API server signs.
import { hash, type KeyObject } from 'node:crypto';
import { isNodeName } from '../core/names.ts';
import { type Claims, isObject, timesIn } from './jwt.ts';
import type { TokenClaims } from './token.ts';

/** Who signs tokens of a cluster, and which of them are for the tunnel. */
export interface TokenAuthority {
  readonly issuer: string;
  /** The only one that they are for: nobody who gets such a token can use it elsewhere. */
  readonly audience: string;
  /** system:serviceaccount:NAMESPACE:NAME. Whoever may create pods gets tokens of other accounts, for any audience. */
  readonly subject: string;
  /** More than one while they are rotated. */
  readonly keys: readonly TokenKey[];
}

export interface TokenKey {
  /** As the head of a token has it (kid). */
  readonly id: string;
  /** PEM. */
  readonly publicKey: string;
}

/** How Kubernetes names the keys of service accounts. */
export const serviceAccountKeyId = (publicKey: KeyObject): string =>
  hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url');

type Expected = Omit<TokenAuthority, 'keys'> & { readonly cluster: string };

export function serviceAccountClaims(claims: Claims, expected: Expected): TokenClaims | 'bad-token' | 'nodeless-token' {
  const { iss, aud, sub, 'kubernetes.io': bound } = claims;
  if (iss !== expected.issuer || sub !== expected.subject || !isOnly(aud, expected.audience)) return 'bad-token';
  const times = timesIn(claims);
  if (times === undefined || !isObject(bound)) return 'bad-token';
  const { node } = bound;
  if (node === undefined) return 'nodeless-token';
  if (!isObject(node) || !isNodeName(node.name)) return 'bad-token';
  return { cluster: expected.cluster, node: node.name, ...times };
}

const isOnly = (aud: unknown, audience: string): boolean =>
  aud === audience || (Array.isArray(aud) && aud.length === 1 && aud[0] === audience);
