// A certificate and its key, as they come from files that somebody else writes.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

export interface KeyPair {
  /** PEM, leaf first. */
  readonly cert: string;
  readonly key: string;
}

/**
 * Throws where they cannot be used together. A file that is being written is empty for a moment, and TLS takes an empty
 * text for none at all: it would serve without a certificate, and refuse everybody.
 */
export function assertKeyPair({ cert, key }: KeyPair): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the key is not that of the certificate');
  // The rest of the chain, and what this version of OpenSSL does not take.
  createSecureContext({ cert, key });
}
