// Where backups go: to the bucket of the seed if it has one, else to this machine's disk.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { BackupStore } from './backup.ts';
import { diskStore } from './disk-store.ts';
import { s3Store } from './s3-store.ts';

export type Target = Pick<ControlPlaneInput, 'cluster' | 'backup' | 'home'> & {
  readonly endpoint: Pick<ControlPlaneInput['endpoint'], 'seed'>;
};

export interface TargetOptions {
  /** Directory of the manifests, which files are named from. */
  readonly manifests: string;
  readonly env?: NodeJS.ProcessEnv;
}

type Bucket = NonNullable<ControlPlaneInput['backup']>;

/** Keys are read anew each time, so that they can be changed. */
export function backupStore(
  { cluster, backup, home, endpoint: { seed } }: Target,
  options: TargetOptions,
): BackupStore {
  if (backup === undefined) return diskStore(home.backups);
  const { endpoint, bucket, region = 'us-east-1', trustBundle } = backup;
  const ca = trustBundle?.file === undefined ? {} : { ca: readNamed(options, trustBundle.file) };
  const credentials = accessKeys(secretText(options, backup.credentials, 'the access key of the bucket'));
  return s3Store({ endpoint, bucket, region, credentials, ...ca }, `${seed}/${cluster}`);
}

/** What keys are encrypted with; undefined where nobody named anything. */
export function passphraseOf({ backup }: Pick<Target, 'backup'>, options: TargetOptions): string | undefined {
  const reference = backup?.passphrase;
  return reference === undefined ? undefined : secretText(options, reference, 'the passphrase of backups').trim();
}

function secretText(options: TargetOptions, { env, file }: Bucket['credentials'], what: string): string {
  if (file !== undefined) return readNamed(options, file);
  const value = env === undefined ? undefined : (options.env ?? process.env)[env];
  if (value !== undefined) return value;
  const missing =
    env === undefined ? 'is in a Secret, which this machine cannot read' : `is not in the variable ${env}`;
  throw noKeys(`${what} ${missing}`);
}

function readNamed({ manifests }: TargetOptions, file: string): string {
  try {
    return readFileSync(path.resolve(manifests, file), 'utf8');
  } catch (error) {
    throw noKeys(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** ID:SECRET in one line. */
function accessKeys(text: string): { accessKeyId: string; secretAccessKey: string } {
  const [, accessKeyId, secretAccessKey] = /^\s*([^:\s]+):(\S+)\s*$/.exec(text) ?? [];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw noKeys('the access key of the bucket is not of the form ID:SECRET');
  return { accessKeyId, secretAccessKey };
}

const noKeys = (message: string): CausewayError =>
  new CausewayError(
    'CW-BACKUP-KEYS',
    message,
    'put it into a file or a variable (access keys as ID:SECRET), and name that in Seed.spec.backup.s3',
  );
