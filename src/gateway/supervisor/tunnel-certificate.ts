// The gateway's own certificate: read here, so that workers need no file, and read again when the files change.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { assertKeyPair } from '../../net/tls/index.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TunnelCertificate } from './messages.ts';

type Files = NonNullable<Snapshot['tunnel']['certificate']>;

/** Absolute names: those in the snapshot are relative to its own file. */
export const certificateFiles = (snapshot: Snapshot, directory: string): Files | undefined => {
  const { certificate } = snapshot.tunnel;
  if (certificate === undefined) return undefined;
  return {
    certFile: path.resolve(directory, certificate.certFile),
    keyFile: path.resolve(directory, certificate.keyFile),
  };
};

export function readCertificate({ certFile, keyFile }: Files): TunnelCertificate {
  const certificate = { cert: readPem(certFile), key: readPem(keyFile) };
  try {
    assertKeyPair(certificate);
  } catch (error) {
    throw new CausewayError(
      'CW-GATEWAY-CERTIFICATE',
      `the tunnel's certificate ${certFile} and key ${keyFile} cannot be used: ${(error as Error).message}`,
      'both must be PEM and belong together; "causeway gateway pki" makes a pair',
    );
  }
  return certificate;
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CausewayError(
      'CW-GATEWAY-CERTIFICATE',
      `the tunnel's certificate file cannot be read: ${(error as Error).message}`,
      'tunnel.certificate in the snapshot names files relative to the snapshot; "causeway gateway pki" makes a pair',
    );
  }
}
