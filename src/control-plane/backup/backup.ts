// A backup is a snapshot of a cluster's etcd, the keys that belong to it, and metadata of both. The metadata is written
// last: what has none is not whole, and does not count.

import type { Made } from '../cluster-state.ts';

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
  /** Of the keys as they are kept. */
  readonly keysSha256?: string;
  /** Grows with each backup of a cluster. Absent in those from before backups were authenticated. */
  readonly sequence?: number;
  readonly authentication?: Authentication;
  /** Of the cluster; absent where it is from before there was any of it. */
  readonly made?: Made;
}

/** Proves by whom all of the above, and so snapshot and keys, were written. */
export interface Authentication {
  /** From what its key is derived. */
  readonly key: 'passphrase' | 'platform';
  /** Tells keys apart. */
  readonly keyId: string;
  /** Of the passphrase; hexadecimal, as the rest. */
  readonly salt?: string;
  readonly mac: string;
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
const namePattern = /^\d{4}-[\w-]{1,40}Z-[a-z]{1,20}$/;
export const isMetadataFile = (file: string): boolean => file.endsWith('.json') && namePattern.test(file.slice(0, -5));

export const metadataOf = (backup: Backup): string => `${JSON.stringify(backup, undefined, 2)}\n`;

/** Undefined where somebody else's file has the same ending. Whoever may write there may have written anything. */
export function readMetadata(text: string, file: string): Backup | undefined {
  try {
    const metadata = JSON.parse(text) as Backup;
    // Files are found by the name in it, so it must not lead elsewhere.
    return isMetadata(metadata) && metadataFile(metadata) === file ? metadata : undefined;
  } catch {
    return undefined;
  }
}

const reasons: readonly string[] = ['schedule', 'upgrade', 'request'] satisfies readonly BackupReason[];
const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isOptional = (value: unknown, check: (value: unknown) => boolean): boolean => value === undefined || check(value);
const isHex = (value: unknown): boolean => isText(value, /^([0-9a-f]{2}){1,64}$/);

const isMetadata = (found: Backup): boolean =>
  isText(found.name, namePattern) &&
  isText(found.cluster, /^[a-z0-9][a-z0-9.-]{0,62}$/) &&
  isCount(found.at) &&
  found.at <= 8.64e15 &&
  reasons.includes(found.reason) &&
  isText(found.kubernetesVersion, /^[\w.+-]{0,40}$/) &&
  isCount(found.bytes) &&
  isHex(found.sha256) &&
  isOptional(found.keys, (keys) => typeof keys === 'boolean') &&
  isOptional(found.keysSha256, isHex) &&
  isOptional(found.sequence, isCount) &&
  isOptional(found.authentication, (one) => isAuthentication(one as Authentication));

const isAuthentication = (found: Authentication): boolean =>
  ['passphrase', 'platform'].includes(found.key) &&
  isHex(found.keyId) &&
  isHex(found.mac) &&
  isOptional(found.salt, isHex);

export const newestFirst = (backups: readonly Backup[]): Backup[] => backups.toSorted((a, b) => b.at - a.at);
