// The keys without which a snapshot is of little use: secrets in it are encrypted with one, and every kubeconfig and every
// token was signed with others. Certificates are not among them, because they follow from their authorities.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { pkiFiles } from '../pki/pki.ts';
import { privateDirectory, readPrivate, writePrivate } from '../private-files.ts';

/** Text of each file, by its name in the directory of keys. */
type Keys = Readonly<Record<string, string>>;

function keyFiles(directory: string): string[] {
  const { ca, etcdCa, frontProxyCa, serviceAccount, encryption } = pkiFiles(directory);
  const pairs = [ca, etcdCa, frontProxyCa].flatMap(({ cert, key }) => [cert, key]);
  return [...pairs, serviceAccount.privateKey, serviceAccount.publicKey, encryption];
}

/** As they are kept in a backup: encrypted where there is a passphrase. */
export function keysOf(directory: string, passphrase: string | undefined): string {
  const keys = Object.fromEntries(keyFiles(directory).map((file) => [path.basename(file), readFileSync(file, 'utf8')]));
  return `${JSON.stringify(passphrase === undefined ? keys : seal(JSON.stringify(keys), passphrase), undefined, 2)}\n`;
}

export function readKeys(text: string, passphrase: string | undefined): Keys {
  const found = JSON.parse(text) as Keys | Sealed;
  return isSealed(found) ? (JSON.parse(unseal(found, passphrase)) as Keys) : found;
}

export const areThere = (directory: string, keys: Keys): boolean =>
  keyFiles(directory).every((file) => existsSync(file) && readPrivate(file) === keys[path.basename(file)]);

/** Only the files that we know by name, whatever else somebody may have put into a backup. */
export function writeKeys(directory: string, keys: Keys): void {
  privateDirectory(directory);
  for (const file of keyFiles(directory)) {
    const text = keys[path.basename(file)];
    if (text === undefined) throw damaged(`${path.basename(file)} is missing among its keys`);
    writePrivate(file, text);
  }
}

interface Sealed {
  readonly sealed: 'scrypt aes-256-gcm';
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

const isSealed = (found: object): found is Sealed => 'sealed' in found;

/** About a tenth of a second for us, and for everybody who guesses. */
const scryptCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyFrom = (passphrase: string, salt: Buffer): Buffer => scryptSync(passphrase, salt, 32, scryptCost);

function seal(text: string, passphrase: string): Sealed {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyFrom(passphrase, salt), iv);
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
  const [saltText, ivText, tag] = [salt, iv, cipher.getAuthTag()].map((bytes) => bytes.toString('base64'));
  return { sealed: 'scrypt aes-256-gcm', salt: saltText as string, iv: ivText as string, tag: tag as string, data };
}

function unseal({ salt, iv, tag, data }: Sealed, passphrase: string | undefined): string {
  if (passphrase === undefined) throw noPassphrase('the keys in this backup are encrypted');
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  try {
    const cipher = createDecipheriv('aes-256-gcm', keyFrom(passphrase, bytes(salt)), bytes(iv), { authTagLength: 16 });
    cipher.setAuthTag(bytes(tag));
    return Buffer.concat([cipher.update(bytes(data)), cipher.final()]).toString('utf8');
  } catch {
    throw noPassphrase('the keys in this backup cannot be opened with this passphrase, or are damaged');
  }
}

const noPassphrase = (message: string): CausewayError =>
  new CausewayError(
    'CW-BACKUP-PASSPHRASE',
    message,
    'name the passphrase that it was taken with in Seed.spec.backup.s3.passphrase',
  );

const damaged = (what: string): CausewayError =>
  new CausewayError('CW-BACKUP-DAMAGED', `the backup is damaged: ${what}`, 'restore an older one');
