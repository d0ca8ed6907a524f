import type { Backup, BackupReason } from './backup.ts';

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
