// A backup is a snapshot of a cluster's etcd, the keys that belong to it, and metadata of both. The metadata is written
// last: what has none is not whole, and does not count.

export type BackupReason = 'schedule' | 'upgrade' | 'request';

export interface Backup {
  /** 2026-11-16T10-00-00Z-schedule: sorts by time. */
  readonly name: string;
  readonly cluster: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: BackupReason;
  readonly kubernetesVersion: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The keys of the cluster are with it. */
  readonly keys?: boolean;
}

/** Where the backups of one cluster are. */
export interface BackupStore {
  /** For people. */
  readonly place: string;
  /** Newest first. */
  list(): Promise<readonly Backup[]>;
  /** Takes a file of its own file system or copies it; whole or not at all. */
  add(file: string, backup: Backup, keys?: string): Promise<void>;
  /** Writes the snapshot to a file that does not exist yet. */
  fetch(backup: Backup, file: string): Promise<void>;
  /** As they were added. */
  fetchKeys(backup: Backup): Promise<string | undefined>;
  remove(backup: Backup): Promise<void>;
}

export const backupName = (at: number, reason: BackupReason): string =>
  `${new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}-${reason}`;

export const snapshotFile = ({ name }: Pick<Backup, 'name'>): string => `${name}.db`;
export const keysFile = ({ name }: Pick<Backup, 'name'>): string => `${name}.keys`;
export const metadataFile = ({ name }: Pick<Backup, 'name'>): string => `${name}.json`;
export const isMetadataFile = (file: string): boolean => /^\d{4}-[\w-]+Z-[a-z]+\.json$/.test(file);

export const metadataOf = (backup: Backup): string => `${JSON.stringify(backup, undefined, 2)}\n`;

/** Undefined where somebody else's file has the same ending. */
export function readMetadata(text: string): Backup | undefined {
  try {
    const metadata = JSON.parse(text) as Partial<Backup>;
    return typeof metadata.name === 'string' && typeof metadata.sha256 === 'string' ? (metadata as Backup) : undefined;
  } catch {
    return undefined;
  }
}

export const newestFirst = (backups: readonly Backup[]): Backup[] => backups.toSorted((a, b) => b.at - a.at);

/** How many of each kind are kept: those that people asked for are theirs to delete. */
export const usualRetention: Readonly<Record<BackupReason, number>> = {
  schedule: 24,
  upgrade: 5,
  request: Number.POSITIVE_INFINITY,
};

/** What may go, the newest of each kind staying. */
export function superfluous(backups: readonly Backup[], keep = usualRetention): Backup[] {
  const kinds = Map.groupBy(backups, ({ reason }) => reason);
  return [...kinds].flatMap(([reason, ofKind]) =>
    ofKind.toSorted((a, b) => b.at - a.at).slice(Math.min(keep[reason] ?? Number.POSITIVE_INFINITY, ofKind.length)),
  );
}
