// Agents' tokens, written by hand: what the gateway reads is not made by its own code.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface TokenKey {
  readonly privateKey: KeyObject;
  /** PEM, as a snapshot carries it. */
  readonly publicKey: string;
  readonly id: string;
}

export function createTokenKey(): TokenKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('base64url').slice(0, 16);
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(), id };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Valid for `seconds` from now; negative: expired already. */
export function tokenFor(cluster: string, { privateKey, id }: TokenKey, seconds = 3600, more: object = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { aud: 'causeway-tunnel', cluster, iat: now - 7200, exp: now + seconds, ...more };
  const text = `${encoded({ alg: 'EdDSA', typ: 'JWT', kid: id })}.${encoded(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

export interface AccountKey {
  readonly privateKey: KeyObject;
  readonly id: string;
  /** As a snapshot carries it. */
  readonly authority: {
    readonly issuer: string;
    readonly audience: string;
    readonly subject: string;
    readonly keys: readonly { readonly id: string; readonly publicKey: string }[];
  };
}

/** With which the API server of a cluster signs tokens of service accounts. */
export function createAccountKey(): AccountKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('base64url');
  const authority = {
    ...{ issuer: 'https://kubernetes.default.svc.cluster.local', audience: 'causeway-tunnel' },
    subject: 'system:serviceaccount:kube-system:causeway-node-agent',
    keys: [{ id, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }],
  };
  return { privateKey, id, authority };
}

/** As TokenRequest gives it, bound to a node. */
export function nodeToken(node: string, { privateKey, id, authority }: AccountKey): string {
  const now = Math.floor(Date.now() / 1000);
  const { issuer: iss, audience, subject: sub } = authority;
  const bound = { namespace: 'kube-system', node: { name: node, uid: '5b1c' } };
  const claims = { iss, aud: [audience], sub, iat: now, nbf: now, exp: now + 3600, 'kubernetes.io': bound };
  const text = `${encoded({ alg: 'RS256', kid: id })}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** The same claims under the algorithm "none", which a reader must never accept. */
export const unsignedToken = (cluster: string): string =>
  `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ aud: 'causeway-tunnel', cluster, exp: 99_999_999_999 })}.`;

export const bearer = (token: string): Record<string, string> => ({ 'proxy-authorization': `Bearer ${token}` });
