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
  const der = derOf(pem);
  if (der === undefined) return undefined;
  try {
    const request = new Pkcs10CertificateRequest(der);
    const isPlain = request.attributes.length <= 1 && request.attributes.every(({ values }) => values.length === 1);
    return isPlain && (await request.verify()) ? contentOf(request) : undefined;
  } catch {
    return undefined;
  }
}

const requestBlock =
  /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE REQUEST-----\s*$/;

/**
 * Who signs reads it with another parser, and skips what that does not like: so it is taken only where there is one way to
 * read it. One block, and strict DER.
 */
function derOf(pem: string): Buffer<ArrayBuffer> | undefined {
  const text = requestBlock.exec(pem)?.[1]?.replaceAll(/\s/g, '');
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text && isDer(bytes) ? bytes : undefined;
}

const deepest = 16;

/** Whether all of it is tags, shortest lengths and contents, to the last byte. */
export function isDer(bytes: Uint8Array, from = 0, to = bytes.length, depth = 0): boolean {
  for (let at = from; at < to; ) {
    const header = headerAt(bytes, at);
    if (header === undefined || header.end > to) return false;
    const isConstructed = ((bytes[at] as number) & 0x20) !== 0;
    if (isConstructed && (depth === deepest || !isDer(bytes, header.content, header.end, depth + 1))) return false;
    at = header.end;
  }
  return true;
}

function headerAt(bytes: Uint8Array, at: number): { readonly content: number; readonly end: number } | undefined {
  const [tag = 0x1f, first = 0x80] = bytes.subarray(at, at + 2);
  // Longer tags and lengths without an end are in no request.
  if ((tag & 0x1f) === 0x1f || first === 0x80 || first > 0x83) return undefined;
  if (first < 0x80) return { content: at + 2, end: at + 2 + first };
  const content = at + 2 + (first & 0x7f);
  const length = bytes.subarray(at + 2, content).reduce((sum, byte) => sum * 256 + byte, 0);
  const isShortest = bytes[at + 2] !== 0 && length >= 0x80;
  return isShortest ? { content, end: content + length } : undefined;
}

function contentOf({ subjectName, extensions: list }: Pkcs10CertificateRequest): SigningRequest {
  const extensions = Array.from(list);
  const subject = subjectName
    .toJSON()
    .flatMap((part) => Object.entries(part).flatMap(([type, values]) => values.map((value) => [type, value] as const)));
  const isNames = (extension: Extension): extension is SubjectAlternativeNameExtension =>
    extension instanceof SubjectAlternativeNameExtension;
  if (extensions.filter(isNames).length > 1) throw new Error('names twice');
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
