// Certificates of our own making: an authority, servers, clients. Everything in PEM; time comes from the caller.
import { generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';

export interface Subject {
  readonly commonName: string;
  /** Groups, where Kubernetes reads it. */
  readonly organization?: string | readonly string[];
}
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}
/** A certificate and its private key, both PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}
export type Authority = Issued;

export interface LeafOptions {
  readonly subject: Subject;
  readonly validity: Validity;
  readonly usage: 'server' | 'client' | 'both';
  readonly dnsNames?: readonly string[];
  readonly ips?: readonly string[];
  /** A private key (PEM) that is there already; absent: a new one. */
  readonly key?: string;
}

const hour = 3_600_000;
const day = 24 * hour;

/** From a day ago and more: clocks differ, and are set back. What was made under a clock a day ahead is good at once, too. */
export const validForMs = (now: Date, milliseconds: number): Validity => ({
  notBefore: new Date(now.getTime() - 25 * hour),
  notAfter: new Date(now.getTime() + milliseconds),
});
export const validFor = (now: Date, days: number): Validity => validForMs(now, days * day);

export const createAuthority = async (commonName: string, validity: Validity): Promise<Authority> =>
  (await import('./x509.ts')).makeAuthority({ commonName }, validity);

export const issueLeaf = async (authority: Authority, options: LeafOptions): Promise<Issued> =>
  (await import('./x509.ts')).makeLeaf(authority, options);

/** Names and addresses, as people write them; the first one is the common name too. */
export const issueServer = (authority: Authority, names: readonly string[], validity: Validity): Promise<Issued> =>
  issueLeaf(authority, {
    // Longer ones do not fit into a common name (RFC 5280), and nobody reads it where there are other names.
    subject: { commonName: (names[0] ?? '').slice(0, 64) },
    validity,
    usage: 'server',
    dnsNames: names.filter((name) => isIP(name) === 0),
    ips: names.filter((name) => isIP(name) !== 0),
  });

export const issueClient = (authority: Authority, subject: Subject, validity: Validity): Promise<Issued> =>
  issueLeaf(authority, { subject, validity, usage: 'client' });

/** What somebody asks a certificate for. */
export interface SigningRequest {
  /** In the order of the subject, as in [['O', 'system:nodes'], ['CN', 'system:node:one']]. */
  readonly subject: readonly (readonly [attribute: string, value: string])[];
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
  /** Names of other kinds, and extensions that are no names. */
  readonly others: readonly string[];
}

/** PEM. Undefined where it is none, or where whoever made it does not have the key. */
export const readSigningRequest = async (pem: string): Promise<SigningRequest | undefined> =>
  (await import('./x509.ts')).readRequest(pem);

/** Ed25519, for tokens. */
export function createTokenKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
