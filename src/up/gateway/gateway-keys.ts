// The keys of a seed's gateway: made once, kept in state, its certificate renewed in time. What agents need of it is
// the authority's certificate and a token.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { signToken } from '../../net/token.ts';
import { type Authority, createAuthority, createTokenKeys, issueServer, validFor } from '../../pki/certificates.ts';
import { writeAtomically } from '../../render/write/write-atomically.ts';

export interface GatewayKeys {
  /** Where the certificate's files are, under the names that the plan gives them. */
  readonly directory: string;
  /** Agents trust the gateway with it. */
  readonly authorityFile: string;
  /** PEM; signs agents' tokens. */
  readonly tokenKey: string;
  token(cluster: string, ttlMs: number): string;
  /** True when the gateway must read its certificate again. */
  renew(names: readonly string[]): Promise<boolean>;
}

const [authorityDays, leafDays] = [3650, 365];

export async function gatewayKeys(directory: string, now: () => number = Date.now): Promise<GatewayKeys> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const at = (file: string): string => path.join(directory, file);
  const authority = await authorityIn(at, now());
  const keys = tokenKeysIn(at);
  return {
    directory,
    authorityFile: at('gateway-ca.crt'),
    tokenKey: keys.publicKey,
    token(cluster, ttlMs) {
      const issuedAt = now();
      return signToken({ cluster, issuedAt, expiresAt: issuedAt + ttlMs }, createPrivateKey(keys.privateKey));
    },
    async renew(names) {
      if (isGood(at('gateway.crt'), names, now())) return false;
      const { certificate, key } = await issueServer(authority, names, validFor(new Date(now()), leafDays));
      write(at('gateway.key'), key);
      write(at('gateway.crt'), certificate);
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

function tokenKeysIn(at: At): ReturnType<typeof createTokenKeys> {
  const [publicFile, privateFile] = [at('token.pub'), at('token.key')];
  if (existsSync(publicFile)) return { publicKey: read(publicFile), privateKey: read(privateFile) };
  const keys = createTokenKeys();
  write(privateFile, keys.privateKey);
  write(publicFile, keys.publicKey);
  return keys;
}

/** It has these names, and a third of its time is still to come. */
function isGood(file: string, names: readonly string[], now: number): boolean {
  if (!existsSync(file)) return false;
  const certificate = new X509Certificate(read(file));
  const [from, to] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
  const has = (name: string): boolean =>
    certificate.checkHost(name) !== undefined || certificate.checkIP(name) !== undefined;
  return names.every(has) && now >= from && now < to - (to - from) / 3;
}
