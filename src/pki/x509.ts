// Certificates by @peculiar/x509, and the only file that knows it: it is heavy, and it must not be loaded before the
// metadata that it keeps its parts by.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Authority, Issued, LeafOptions, SigningRequest, Subject, Validity } from './index.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

/** Random, and positive whatever reads it: the first bit is not set, and not all of the first byte is. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/** As a list, because a text would have to be quoted. */
const nameOf = ({ commonName, organization }: Subject): Record<string, string[]>[] => [
  ...[organization ?? []].flat().map((name) => ({ O: [name] })),
  { CN: [commonName] },
];

async function issuedOf(certificate: X509Certificate, privateKey: webcrypto.CryptoKey): Promise<Issued> {
  const key = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return {
    certificate: `${certificate.toString('pem').trim()}\n`,
    key: `${PemConverter.encode(key, 'PRIVATE KEY').trim()}\n`,
  };
}

export async function makeAuthority(subject: Subject, { notBefore, notAfter }: Validity): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: nameOf(subject),
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return issuedOf(certificate, keys.privateKey);
}

export async function makeLeaf(authority: Authority, options: LeafOptions): Promise<Issued> {
  const issuer = new X509Certificate(authority.certificate);
  const keys = options.key === undefined ? await newKeys() : await keysOf(options.key);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: nameOf(options.subject),
    issuer: issuer.subjectName.toJSON(),
    ...options.validity,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(authority),
    extensions: await leafExtensions(issuer, keys.publicKey, options),
  });
  return issuedOf(certificate, keys.privateKey);
}

/** Both halves of a private key; only a key that may be exported tells its public half. */
async function keysOf(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const privateKey = await webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), algorithm, true, [
    'sign',
  ]);
  const { d: _, key_ops: __, ...open } = await webcrypto.subtle.exportKey('jwk', privateKey);
  return { privateKey, publicKey: await webcrypto.subtle.importKey('jwk', open, algorithm, true, ['verify']) };
}

const signingKeyOf = ({ key }: Authority): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(key), algorithm, false, ['sign']);

const { serverAuth, clientAuth } = ExtendedKeyUsage;
const usages = { server: [serverAuth], client: [clientAuth], both: [serverAuth, clientAuth] } as const;

async function leafExtensions(
  issuer: X509Certificate,
  publicKey: webcrypto.CryptoKey,
  { usage, dnsNames = [], ips = [] }: LeafOptions,
): Promise<Extension[]> {
  const names = [
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([...usages[usage]]),
    ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)]),
    await SubjectKeyIdentifierExtension.create(publicKey),
    await AuthorityKeyIdentifierExtension.create(issuer),
  ];
}

export async function readRequest(pem: string): Promise<SigningRequest | undefined> {
  try {
    const request = new Pkcs10CertificateRequest(pem);
    return (await request.verify()) ? contentOf(request) : undefined;
  } catch {
    return undefined;
  }
}

function contentOf({ subjectName, extensions: list }: Pkcs10CertificateRequest): SigningRequest {
  const extensions = Array.from(list);
  const subject = subjectName
    .toJSON()
    .flatMap((part) => Object.entries(part).flatMap(([type, values]) => values.map((value) => [type, value] as const)));
  const isNames = (extension: Extension): extension is SubjectAlternativeNameExtension =>
    extension instanceof SubjectAlternativeNameExtension;
  const names = extensions.filter(isNames).flatMap(({ names: { items } }) => items);
  const valuesOf = (kind: string): string[] => names.filter(({ type }) => type === kind).map(({ value }) => value);
  return {
    subject,
    dnsNames: valuesOf('dns'),
    ips: valuesOf('ip'),
    others: [
      ...names.filter(({ type }) => type !== 'dns' && type !== 'ip').map(({ type }) => type),
      ...extensions.filter((extension) => !isNames(extension)).map(({ type }) => type),
    ],
  };
}
