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

/** The same claims under the algorithm "none", which a reader must never accept. */
export const unsignedToken = (cluster: string): string =>
  `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ aud: 'causeway-tunnel', cluster, exp: 99_999_999_999 })}.`;

export const bearer = (token: string): Record<string, string> => ({ 'proxy-authorization': `Bearer ${token}` });
