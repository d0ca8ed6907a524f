// Certificate and key of the API, from files that somebody renews.
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { CausewayError } from '../core/errors.ts';
import { assertKeyPair, type KeyPair } from '../net/tls/index.ts';
import type { Log } from '../sys/log.ts';

export interface TlsFiles {
  /** PEM, leaf first. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** Both, if they can be used together. */
export function readCertificate({ certFile, keyFile }: TlsFiles): KeyPair {
  try {
    const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    assertKeyPair(pair);
    return pair;
  } catch (error) {
    throw unusable({ certFile, keyFile }, error as NodeJS.ErrnoException);
  }
}

function unusable({ certFile, keyFile }: TlsFiles, { syscall, message }: NodeJS.ErrnoException): CausewayError {
  const reason = syscall === undefined ? `${certFile} and ${keyFile} are no certificate and its key` : message;
  return new CausewayError(
    'CW-API-CERTIFICATE',
    `the page has no certificate: ${reason}`,
    'name two PEM files that can be read: the certificate, leaf first, and the key that it was made for',
  );
}

/** Names and addresses that it is good for, without wildcards. */
export function namesIn(cert: string): readonly string[] {
  const names = new X509Certificate(cert).subjectAltName ?? '';
  return [...names.matchAll(/(?:DNS|IP Address):([^\s,"*]+)(?=,|$)/g)].map(([, name = '']) => name.toLowerCase());
}

/** Looks now and then; what cannot be used is left, because the one in use may be good for a while. */
export function followCertificate(server: Server, files: TlsFiles, log: Log, everyMs = 2_000): () => void {
  let seen = changedAt(files);
  const timer = setInterval(() => {
    const now = changedAt(files);
    if (now === seen) return;
    seen = now;
    try {
      (server as TlsServer).setSecureContext({ ...readCertificate(files), minVersion: 'TLSv1.2' });
      log.info('the page has a new certificate', { file: files.certFile });
    } catch (error) {
      // Half written, most likely: it changes once more.
      log.warn('the page keeps its old certificate', { reason: (error as Error).message });
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}

const changedAt = ({ certFile, keyFile }: TlsFiles): string =>
  [certFile, keyFile].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
