// Whom the agent believes, and who it says it is: a TLS context that is made anew when one of its files has changed.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates } from 'node:tls';
import { FileValue, type FileValueOptions } from '../../sys/file-value.ts';
import type { Trusting } from '../proxy-dial/route.ts';
import { distinguished } from './certificate.ts';

export interface TrustFiles {
  /** Authorities; absent: those of Node and of the system. */
  readonly ca?: string;
  /** Client certificate and its key. */
  readonly certificate?: { readonly certFile: string; readonly keyFile: string };
}

interface Authorities {
  readonly pem: readonly string[];
  readonly subjects: readonly string[];
}

/** Answers with the same object as long as no file has changed. */
export function trustOf(files: TrustFiles, options: FileValueOptions): () => Trusting {
  const ca = files.ca === undefined ? undefined : new FileValue(files.ca, readAuthorities, options);
  const cert = files.certificate && new FileValue(files.certificate.certFile, asIs, options);
  const key = files.certificate && new FileValue(files.certificate.keyFile, asIs, options);
  let made: { readonly from: readonly unknown[]; readonly trusting: Trusting } | undefined;
  return () => {
    const authorities = ca?.get() ?? systemAuthorities();
    const from = [authorities, cert?.get(), key?.get()];
    if (made === undefined || from.some((part, index) => part !== made?.from[index]))
      made = remade(made?.trusting, from, () => makeTrusting(files.ca, authorities, cert?.get(), key?.get()));
    return made.trusting;
  };
}

/** A certificate is replaced before its key: as long as they do not fit, the old pair stays. */
function remade(before: Trusting | undefined, from: readonly unknown[], make: () => Trusting) {
  try {
    return { from, trusting: make() };
  } catch (error) {
    if (before === undefined) throw error;
    return { from, trusting: before };
  }
}

function makeTrusting(file: string | undefined, { pem, subjects }: Authorities, cert?: string, key?: string): Trusting {
  if (cert !== undefined && key !== undefined) assertKeyPair({ cert, key });
  return {
    context: createSecureContext({ ca: [...pem], cert, key, minVersion: 'TLSv1.2' }),
    trust: { subjects, ...(file === undefined ? {} : { file }) },
  };
}

const asIs = (text: string): string => text;

function readAuthorities(text: string): Authorities {
  const pem = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (pem.length === 0) throw new Error('there is no certificate in it (PEM)');
  return { pem, subjects: pem.map((one) => distinguished(new X509Certificate(one).subject)) };
}

let system: Authorities | undefined;
function systemAuthorities(): Authorities {
  system ??= { pem: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])], subjects: [] };
  return system;
}

// A certificate and its key, as they come from files that somebody else writes.

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
