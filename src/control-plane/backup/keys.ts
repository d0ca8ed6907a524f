// The keys without which a snapshot is of little use: secrets in it are encrypted with one, and every kubeconfig and every
// token was signed with others. Certificates are not among them, because they follow from their authorities.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { CausewayError } from '../../core/errors.ts';
import type { Store, ValueName } from '../cluster-runtime.ts';
import { keyRefs, laterKeyRefs } from '../pki/pki.ts';
import { scryptCost } from './authentication.ts';

/** Text of each value, by the last part of its place: ca.key. */
type Keys = Readonly<Record<string, string>>;

const nameOf = ({ name, key }: ValueName): string => `${name}.${key.split('.').at(-1)}`;

/** As they are kept in a backup: encrypted where there is a passphrase. */
export async function keysOf(store: Store, passphrase: string | undefined): Promise<string> {
  const texts = await Promise.all(keyRefs.map(async (ref) => [nameOf(ref), await needed(store, ref)]));
  const later = await Promise.all(laterKeyRefs.map(async (ref) => [nameOf(ref), await store.get(ref)]));
  const keys = Object.fromEntries([...texts, ...later.filter(([, text]) => text !== undefined)]) as Keys;
  return `${JSON.stringify(passphrase === undefined ? keys : seal(JSON.stringify(keys), passphrase), undefined, 2)}\n`;
}

async function needed(store: Store, value: ValueName): Promise<string> {
  const text = await store.get(value);
  if (text === undefined) throw missingKey(store.where(value));
  return text;
}

const missingKey = (file: string): CausewayError =>
  new CausewayError('CW-WRITE', `cannot read ${file}: it is not there`, 'bring it back from an older backup');

export function readKeys(text: string, passphrase: string | undefined): Keys {
  const found = parsed(text);
  return isSealed(found) ? (JSON.parse(unseal(found, passphrase)) as Keys) : found;
}

function parsed(text: string): Keys | Sealed {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null) return found as Keys | Sealed;
  } catch {
    // The same as anything else that is no set of keys.
  }
  throw damaged('its keys cannot be read');
}

export async function areThere(store: Store, keys: Keys): Promise<boolean> {
  for (const ref of keyRefs) if ((await store.get(ref)) !== (keys[nameOf(ref)] ?? '')) return false;
  for (const ref of laterKeyRefs)
    if ((await store.get(ref)) !== (keys[nameOf(ref)] ?? (await store.get(ref)))) return false;
  return true;
}

/** Only those that we know by name, whatever else somebody may have put into a backup. */
export async function writeKeys(store: Store, keys: Keys): Promise<void> {
  for (const ref of keyRefs) {
    const text = keys[nameOf(ref)];
    if (text === undefined) throw damaged(`${nameOf(ref)} is missing among its keys`);
    await store.put(ref, text);
  }
  for (const ref of laterKeyRefs) {
    const text = keys[nameOf(ref)];
    if (text !== undefined) await store.put(ref, text);
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
