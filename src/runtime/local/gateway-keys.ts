// The keys of a seed's gateway: made once, kept in state, its certificate renewed in time. What agents need of it is
// the authority's certificate and a token.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { signToken } from '../../net/index.ts';
import {
  type Authority,
  createAuthority,
  createTokenKeys,
  issueServer,
  validFor,
  validForMs,
} from '../../pki/index.ts';
import { ownDirectory } from '../../sys/private-files.ts';
import { writeAtomically } from '../../sys/write-atomically.ts';
import type { GatewayKeys } from '../platform-runtime.ts';
import type { PlatformHome } from './home.ts';

/** With the files that other programs of this machine read. */
export interface LocalGatewayKeys extends GatewayKeys {
  /** Where the certificate's files are, under the names that the plan gives them. */
  readonly directory: string;
}

export const gatewayDirectory = (home: PlatformHome, seed: string): string => path.join(home.state, 'gateways', seed);

/** Of the certificate of a gateway's authority. */
export const authorityFileOf = (directory: string): string => path.join(directory, 'gateway-ca.crt');

export interface KeysOptions {
  readonly now?: () => number;
  /** Of the certificate; its authority lives ten years. @default a year */
  readonly lifetimeMs?: number;
}

const authorityDays = 3650;
const year = 365 * 24 * 3_600_000;
/** After an attempt that failed. */
const againMs = 60_000;

export async function gatewayKeys(directory: string, options: KeysOptions = {}): Promise<LocalGatewayKeys> {
  const { now = Date.now, lifetimeMs = year } = options;
  ownDirectory(directory);
  const at = (file: string): string => path.join(directory, file);
  const authority = await authorityIn(at, now());
  const keys = tokenKeysIn(at);
  const dueFor = (names: readonly string[]): number => dueAtOf(at, names, lifetimeMs, now());
  let dueAt = 0;
  return {
    directory,
    authority: authority.certificate,
    tokenKey: keys.publicKey,
    warning: warningOf(authority, now()),
    token(cluster, ttlMs, node) {
      const issuedAt = now();
      const claims = { cluster, ...(node === undefined ? {} : { node }), issuedAt, expiresAt: issuedAt + ttlMs };
      return signToken(claims, createPrivateKey(keys.privateKey));
    },
    get dueAt() {
      return dueAt;
    },
    async renew(names) {
      dueAt = dueFor(names);
      if (now() < dueAt) return false;
      dueAt = now() + againMs;
      const { certificate, key } = await issueServer(authority, names, validForMs(new Date(now()), lifetimeMs));
      write(at('gateway.key'), key);
      write(at('gateway.crt'), certificate);
      dueAt = dueFor(names);
      return true;
    },
  };
}

type At = (file: string) => string;
const read = (file: string): string => readFileSync(file, 'utf8');
const write = (file: string, text: string): void => writeAtomically(file, text, 0o600);

async function authorityIn(at: At, now: number): Promise<Authority> {
  const [certFile, keyFile] = [at('gateway-ca.crt'), at('gateway-ca.key')];
  if (existsSync(certFile)) return { certificate: read(certFile), key: read(keyFile) };
  const authority = await createAuthority('Causeway gateway authority', validFor(new Date(now), authorityDays));
  // The certificate last: where it is, the key is too.
  write(keyFile, authority.key);
  write(certFile, authority.certificate);
  return authority;
}

function warningOf({ certificate }: Authority, now: number): string | undefined {
  const end = new X509Certificate(certificate).validToDate;
  if (end.getTime() - now > year) return undefined;
  return `the authority gateway-ca.crt ends on ${end.toISOString().slice(0, 10)}; plan a day for a new one: every node agent must be given it`;
}

function tokenKeysIn(at: At): ReturnType<typeof createTokenKeys> {
  const [publicFile, privateFile] = [at('token.pub'), at('token.key')];
  if (existsSync(publicFile)) return { publicKey: read(publicFile), privateKey: read(privateFile) };
  const keys = createTokenKeys();
  write(privateFile, keys.privateKey);
  write(publicFile, keys.publicKey);
  return keys;
}

/** Two thirds into its life, or at once where it is none that these names can be served with. */
function dueAtOf(at: At, names: readonly string[], lifetimeMs: number, now: number): number {
  const [certFile, keyFile] = [at('gateway.crt'), at('gateway.key')];
  if (!existsSync(certFile) || !existsSync(keyFile)) return 0;
  const certificate = new X509Certificate(read(certFile));
  const has = (name: string): boolean =>
    (isIP(name) > 0 ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
  // One of the two files may be older than the other: they are written one after the other.
  const fits = certificate.checkPrivateKey(createPrivateKey(read(keyFile)));
  if (!fits || !names.every(has) || now < certificate.validFromDate.getTime()) return 0;
  return certificate.validToDate.getTime() - lifetimeMs / 3;
}
