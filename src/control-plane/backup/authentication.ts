// Who wrote a backup. A MAC covers its metadata, and by the digests in it the snapshot and the keys: whoever can write
// where backups are, but does not have the passphrase or the key of the platform, cannot make one, alter one, or give one
// cluster the backup of another.
import { createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Authentication, Backup } from './backup.ts';

export type Authenticity =
  | 'authenticated'
  /** From before backups were authenticated, or somebody took that out. */
  | 'unauthenticated'
  /** Authenticated with a key that is not here. */
  | 'other-key'
  | 'other-cluster'
  /** Says that it was authenticated with our key, and was not. */
  | 'altered';

export interface MacSecrets {
  readonly passphrase?: string | undefined;
  /** A key of the platform, for where there is no passphrase. */
  readonly platform?: Buffer | undefined;
}

export interface Authenticator {
  sign(backup: Backup & { readonly sequence: number }, salt: string): Promise<Backup>;
  judge(backup: Backup): Promise<Authenticity>;
}

export const newSalt = (): string => randomBytes(16).toString('hex');

/** About a tenth of a second for us, and for everybody who guesses. */
export const scryptCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** Each costs that time, and whoever writes to a bucket can bring as many as they like. */
const mostSalts = 32;

interface MacKey {
  readonly id: string;
  readonly key: Buffer;
}

export type Stretch = (passphrase: string, salt: Buffer) => Promise<Buffer>;
const slowly = promisify<string, Buffer, number, object, Buffer>(scrypt);
const usualStretch: Stretch = (passphrase, salt) => slowly(passphrase, salt, 32, scryptCost);

export function createAuthenticator(
  cluster: string,
  { passphrase, platform }: MacSecrets,
  stretch = usualStretch,
): Authenticator {
  const bySalt = new Map<string, Promise<MacKey>>();
  const keyOf = async ({ key, salt }: Pick<Authentication, 'key' | 'salt'>): Promise<MacKey | undefined> => {
    if (key === 'platform') return platform && derive(platform);
    if (passphrase === undefined || salt === undefined) return undefined;
    const known = bySalt.get(salt);
    if (known !== undefined || bySalt.size >= mostSalts) return known;
    const made = stretch(passphrase, Buffer.from(salt, 'hex')).then(derive);
    bySalt.set(salt, made);
    return made;
  };
  return {
    async sign(backup, salt) {
      const by = passphrase === undefined ? ({ key: 'platform' } as const) : ({ key: 'passphrase', salt } as const);
      const found = await keyOf(by);
      if (found === undefined) throw new Error('asked to authenticate a backup without any key');
      return { ...backup, authentication: { ...by, keyId: found.id, mac: macOf(backup, found).toString('hex') } };
    },
    async judge(backup) {
      const { authentication } = backup;
      if (authentication === undefined || backup.sequence === undefined) return 'unauthenticated';
      if (backup.cluster !== cluster) return 'other-cluster';
      const found = await keyOf(authentication);
      if (found === undefined || found.id !== authentication.keyId) return 'other-key';
      return isEqual(macOf(backup, found), Buffer.from(authentication.mac, 'hex')) ? 'authenticated' : 'altered';
    },
  };
}

function derive(secret: Buffer): MacKey {
  const part = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `backup ${info}`, length));
  return { id: part('key id', 8).toString('hex'), key: part('mac', 32) };
}

/** An array, so that no two different backups have the same text. */
function macOf(backup: Backup, { key }: MacKey): Buffer {
  const { name, cluster, at, reason, kubernetesVersion, bytes, sha256 } = backup;
  const { keys = false, keysSha256 = '', made = {} } = backup;
  const covered = ['backup 1', cluster, backup.sequence, at, name, reason, kubernetesVersion, bytes, sha256];
  return createHmac('sha256', key)
    .update(JSON.stringify([...covered, keys, keysSha256, made]))
    .digest();
}

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
