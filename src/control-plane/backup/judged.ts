// Backups with what is known of each: who wrote it, and whether there was a newer one. What they say about themselves
// counts only where they are authenticated.
import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import type { Authenticator, Authenticity } from './authentication.ts';
import { type Backup, type BackupReason, newestFirst } from './backup.ts';

/** The newest backup of a cluster that its platform took or restored. */
export interface KnownNewest {
  readonly name: string;
  readonly at: number;
  readonly sequence: number;
}

export interface JudgedBackup extends Backup {
  readonly authenticity: Authenticity;
  /** The newest one, where this is an older one. */
  readonly newer?: KnownNewest & { readonly missing: boolean };
}

/** What a person must say about a backup that is not the newest authenticated one. */
export interface RestoreFlags {
  readonly older?: boolean;
  readonly unauthenticated?: boolean;
}

/** Newest first. */
export async function judgeBackups(
  backups: readonly Backup[],
  authenticator: Authenticator,
  known?: KnownNewest,
): Promise<JudgedBackup[]> {
  const judged = await Promise.all(
    newestFirst(backups).map(async (backup) => ({ ...backup, authenticity: await authenticator.judge(backup) })),
  );
  const newest = newestKnown(judged, known);
  if (newest === undefined) return judged;
  const missing = !judged.some(({ authenticity, sequence }) => isGood(authenticity) && sequence === newest.sequence);
  return judged.map((backup) => (isOlder(backup, newest) ? { ...backup, newer: { ...newest, missing } } : backup));
}

const isGood = (authenticity: Authenticity): boolean => authenticity === 'authenticated';
const sequenceOf = ({ sequence = -1 }: Backup): number => sequence;
const isOlder = (backup: JudgedBackup, newest: KnownNewest): boolean =>
  isGood(backup.authenticity) && sequenceOf(backup) < newest.sequence;

/** By sequence, because clocks go backwards. */
const authenticated = (backups: readonly JudgedBackup[]): JudgedBackup[] =>
  backups.filter(({ authenticity }) => isGood(authenticity)).toSorted((a, b) => sequenceOf(b) - sequenceOf(a));

export function newestKnown(backups: readonly JudgedBackup[], known?: KnownNewest): KnownNewest | undefined {
  const [newest] = authenticated(backups);
  if (newest === undefined || sequenceOf(newest) < (known?.sequence ?? 0)) return known;
  return { name: newest.name, at: newest.at, sequence: sequenceOf(newest) };
}

/** A name of one, or `latest`. */
export function chooseBackup(
  cluster: string,
  backups: readonly JudgedBackup[],
  from: string,
  place?: string,
): JudgedBackup {
  const name = from.replace(/\.(db|json)$/, '');
  const chosen = from === 'latest' ? latestOf(backups) : backups.find((backup) => backup.name === name);
  if (chosen !== undefined) return chosen;
  const what = from === 'latest' ? 'no backup' : `no backup ${from}`;
  throw new CausewayError(
    'CW-BACKUP-NONE',
    `there is ${what} of cluster ${cluster}${place === undefined ? '' : ` in ${place}`}`,
    backups.length === 0
      ? `take one while it runs: causeway cluster backup ${cluster}`
      : suggestion(
          name,
          backups.map((backup) => backup.name),
        ),
  );
}

/** One that nobody vouches for is not the newest, whatever time it tells; one that was altered is not passed over. */
function latestOf(backups: readonly JudgedBackup[]): JudgedBackup | undefined {
  const [newest] = authenticated(backups);
  if (newest === undefined) return backups[0];
  return backups.find(({ authenticity, at }) => authenticity === 'altered' && at > newest.at) ?? newest;
}

/** Both need a person who says so; what was altered nobody gets. */
export function refuseWithoutFlags(cluster: string, backup: JudgedBackup, flags: RestoreFlags): void {
  if (backup.authenticity === 'altered') throw altered(cluster, backup);
  if (!isGood(backup.authenticity) && !flags.unauthenticated) throw unauthenticated(backup);
  if (backup.newer !== undefined && !flags.older) throw older(backup, backup.newer);
}

const altered = (cluster: string, { name }: Backup): CausewayError =>
  new CausewayError(
    'CW-BACKUP-ALTERED',
    `the backup ${name} is not as it was taken: somebody altered it`,
    `restore another one ("causeway cluster backups ${cluster}" lists them), and find out who can write where they are`,
  );

function unauthenticated(backup: JudgedBackup): CausewayError {
  return new CausewayError(
    'CW-BACKUP-UNAUTHENTICATED',
    `nothing proves who wrote the backup ${backup.name}: ${whyUnauthenticated(backup)}`,
    `${backup.authentication?.key === 'passphrase' ? 'name the passphrase that it was taken with in Seed.spec.backup.s3.passphrase; or, ' : ''}` +
      'if you know where it is from, add --unauthenticated: who wrote it decides all that is in the cluster, its roles and keys too',
  );
}

/** For people. */
export function whyUnauthenticated({ authenticity, authentication, cluster }: JudgedBackup): string {
  if (authenticity === 'other-cluster') return `it is of another cluster, ${cluster}`;
  if (authenticity === 'other-key')
    return authentication?.key === 'passphrase'
      ? 'it was authenticated with a passphrase that is not the one here'
      : 'it was authenticated with the key of another platform';
  return 'it is from before backups were authenticated, or from somebody else';
}

const timeText = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace(/\..*/, ' UTC');

const older = ({ name, at }: Backup, newer: NonNullable<JudgedBackup['newer']>): CausewayError =>
  new CausewayError(
    'CW-BACKUP-OLDER',
    `the backup ${name} is not the newest: ${newer.name} of ${timeText(newer.at)} is${newer.missing ? ', and it is not there any more' : ''}`,
    `${newer.missing ? 'find out who deleted it; or ' : 'restore that one; or, '}` +
      `if all that was written since ${timeText(at)} may be lost, add --older`,
  );

/** How many of each kind are kept: those that people asked for are theirs to delete. */
export const usualRetention: Readonly<Record<BackupReason, number>> = {
  schedule: 24,
  upgrade: 5,
  request: Number.POSITIVE_INFINITY,
};

/** What may go, the newest of each kind staying. One that nobody vouches for makes no other one go. */
export function superfluous(backups: readonly JudgedBackup[], keep = usualRetention): JudgedBackup[] {
  return [...Map.groupBy(backups, ({ reason }) => reason)].flatMap(([reason, ofKind]) => {
    const good = authenticated(ofKind);
    const newerThan = ({ at }: Backup): number => good.filter((one) => one.at > at).length;
    const others = ofKind.filter(({ authenticity }) => !isGood(authenticity));
    return [
      ...good.slice(Math.min(keep[reason], good.length)),
      ...others.filter((one) => newerThan(one) >= keep[reason]),
    ];
  });
}
