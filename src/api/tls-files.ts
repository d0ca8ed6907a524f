// Certificate and key of the API, from files that somebody renews.
import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { CausewayError } from '../core/errors.ts';

export interface TlsFiles {
  /** PEM, leaf first. */
  readonly certFile: string;
  readonly keyFile: string;
}

export function readCertificate({ certFile, keyFile }: TlsFiles): { readonly cert: string; readonly key: string } {
  try {
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } catch (error) {
    const message = `the certificate of the API cannot be read: ${(error as Error).message}`;
    throw new CausewayError('CW-API-CERTIFICATE', message, 'name PEM files that can be read');
  }
}

/** Looks now and then; what cannot be used is left, because the one in use may be good for a while. */
export function followCertificate(server: Server, files: TlsFiles, everyMs = 30_000): () => void {
  let seen = changedAt(files);
  const timer = setInterval(() => {
    const now = changedAt(files);
    if (now === seen) return;
    seen = now;
    try {
      (server as TlsServer).setSecureContext({ ...readCertificate(files), minVersion: 'TLSv1.2' });
    } catch {
      // Half written: it changes once more.
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}

const changedAt = ({ certFile, keyFile }: TlsFiles): string =>
  [certFile, keyFile].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
