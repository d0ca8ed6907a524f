// A request for a certificate, as a kubelet makes it.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface RequestOptions {
  readonly subject: Record<string, string[]>[];
  readonly dnsNames?: readonly string[];
  readonly ips?: readonly string[];
}

/** PEM. */
export async function createSigningRequest({ subject, dnsNames = [], ips = [] }: RequestOptions): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  const request = await Pkcs10CertificateRequestGenerator.create({
    ...{ name: subject, keys, signingAlgorithm: algorithm },
    extensions: [new SubjectAlternativeNameExtension(names)],
  });
  return request.toString('pem');
}
