// Where backups go: to the bucket of the seed if it has one, else to this machine's disk.
import type { BackupStore, ControlPlaneInput } from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';
import type { ClusterHome } from '../home.ts';
import { bundleText, type SecretPlaces, secretText } from '../secret-places.ts';
import { diskStore } from './disk-store.ts';
import { s3Store } from './s3-store.ts';

export type Target = Pick<ControlPlaneInput, 'cluster' | 'backup'> & {
  readonly home: Pick<ClusterHome, 'backups'>;
  readonly endpoint: Pick<ControlPlaneInput['endpoint'], 'seed'>;
};

type Bucket = NonNullable<ControlPlaneInput['backup']>;

/** Keys are read anew each time, so that they can be changed. */
export function backupStore({ cluster, backup, home, endpoint: { seed } }: Target, places: SecretPlaces): BackupStore {
  if (backup === undefined) return diskStore(home.backups);
  const { endpoint, bucket, region = 'us-east-1', trustBundle } = backup;
  const ca = trustBundle?.file === undefined ? {} : { ca: bundleOf(trustBundle.file, places) };
  const credentials = accessKeys(secretOf(backup.credentials, 'the access key of the bucket', places));
  return s3Store({ endpoint, bucket, region, credentials, ...ca }, `${seed}/${cluster}`);
}

/** What keys are encrypted with; undefined where nobody named anything. */
export function passphraseOf({ backup }: Pick<Target, 'backup'>, places: SecretPlaces): string | undefined {
  const reference = backup?.passphrase;
  return reference === undefined ? undefined : secretOf(reference, 'the passphrase of backups', places).trim();
}

function secretOf(reference: Bucket['credentials'], what: string, places: SecretPlaces): string {
  const text = secretText(reference, places);
  if (text !== undefined) return text;
  const { env, file } = reference;
  if (file !== undefined) throw noKeys(`${file} does not exist`);
  throw noKeys(
    `${what} ${env === undefined ? 'is in a Secret, which this machine cannot read' : `is not in the variable ${env}`}`,
  );
}

function bundleOf(file: string, places: SecretPlaces): string {
  const text = bundleText(file, places);
  if (text === undefined) throw noKeys(`${file} does not exist`);
  return text;
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
