// The backups of one cluster that runs: on a schedule, before an upgrade, and when somebody asks.
import {
  type Backup,
  type BackupReason,
  type BackupStore,
  type ControlPlaneInput,
  type Driver,
  type JudgedBackup,
  keysOf,
  newestKnown,
  type RestoreFlags,
  type Scope,
  type Store,
  superfluous,
  usualRetention,
} from '../../../control-plane/index.ts';
import { durationMs } from '../../../core/duration.ts';
import type { CausewayError } from '../../../core/errors.ts';
import type { ProgramOptions } from '../../../programs/index.ts';
import type { Log } from '../../../sys/log.ts';
import { createMutex } from '../../../sys/mutex.ts';
import type { ClusterPlace } from '../home.ts';
import { judgedBackups } from './judged-backups.ts';
import { type ChoiceOptions, chosenBackup, prepareRestore, type Restored } from './restore.ts';
import { takeBackup } from './snapshot.ts';
import { backupStore, passphraseOf } from './target.ts';

/** Processes can be away for a while and come back. */
export interface StoppingDriver extends Driver {
  whileStopped<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
}

export interface ClusterBackupsOptions {
  readonly place: ClusterPlace & { readonly store: Store };
  readonly driver: StoppingDriver;
  readonly log: Log;
  /** Directory of the manifests. */
  readonly manifests: string;
  /** Told while the cluster is stopped, when a restore brought other keys than it had. */
  readonly keysChanged?: (input: ControlPlaneInput) => Promise<void>;
  /** Milliseconds between two, where its seed does not say it. @default an hour */
  readonly everyMs?: number;
  readonly programs?: ProgramOptions;
  readonly now?: () => number;
}

const hourMs = 3_600_000;
const lookMs = 60_000;
/** After a failure, before it is tried again. */
const retryMs = 5 * 60_000;

export class ClusterBackups {
  readonly #options: ClusterBackupsOptions;
  readonly #timer: NodeJS.Timeout;
  #input: ControlPlaneInput | undefined;
  #dueAt: number | undefined;
  /** One at a time: a restore must not meet a backup. */
  readonly #mutex = createMutex();

  constructor(options: ClusterBackupsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.backUpIfDue(), Math.min(lookMs, this.#everyMs / 2)).unref();
  }

  /** What is saved from now on. */
  want(input: ControlPlaneInput): void {
    this.#input = input;
  }

  /** For people: now. */
  take(): Promise<Backup> {
    return this.#mutex(() => this.#take(this.#wanted, 'request'));
  }

  /** The version is the one that the data is of. */
  beforeUpgrade(input: ControlPlaneInput, from: string): Promise<Backup> {
    return this.#mutex(() => this.#take({ ...input, kubernetesVersion: from }, 'upgrade'));
  }

  async list(): Promise<readonly JudgedBackup[]> {
    return this.#judged(this.#wanted);
  }

  /** Which one a restore would take. */
  async choose(from: string): Promise<JudgedBackup> {
    return chosenBackup(this.#options.place, { ...this.#accessTo(this.#wanted), from });
  }

  /** The cluster stands still only while directories are renamed. */
  restore(from: string, flags: RestoreFlags = {}): Promise<Restored> {
    return this.#mutex(async () => {
      const { driver, log, programs, keysChanged, place } = this.#options;
      const input = this.#wanted;
      const commit = await prepareRestore(place, { ...flags, ...this.#accessTo(input), from, programs });
      const restored = await driver.whileStopped(`cluster/${input.cluster}`, async () => {
        const done = await commit();
        if (done.keys === 'restored') await keysChanged?.(input);
        return done;
      });
      log.info('restored', { cluster: input.cluster, backup: restored.backup.name, aside: restored.aside });
      return restored;
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async backUpIfDue(): Promise<void> {
    const input = this.#input;
    if (input === undefined || !this.#etcdWorks(input)) return;
    try {
      this.#dueAt ??= await this.#firstDue(input);
      if (this.#now() < this.#dueAt) return;
      this.#dueAt = this.#now() + this.#everyMs;
      await this.#mutex(() => this.#take(input, 'schedule'));
    } catch (error) {
      this.#dueAt = this.#now() + Math.min(retryMs, this.#everyMs);
      const { message, fix } = error as CausewayError;
      this.#options.log.warn('no backup', { cluster: input.cluster, why: message, ...(fix && { next: fix }) });
    }
  }

  get #everyMs(): number {
    return durationMs(this.#input?.backup?.interval ?? '') ?? this.#options.everyMs ?? hourMs;
  }

  get #wanted(): ControlPlaneInput {
    if (this.#input === undefined) throw new Error('asked for a backup of a cluster that nobody has described yet');
    return this.#input;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #accessTo(input: ControlPlaneInput): Pick<ChoiceOptions, 'passphrase'> & { readonly store: BackupStore } {
    const store = backupStore({ ...input, ...this.#options.place }, this.#options);
    return { store, passphrase: passphraseOf(input, this.#options) };
  }

  #judged(input: ControlPlaneInput): Promise<JudgedBackup[]> {
    return judgedBackups(this.#options.place, this.#accessTo(input));
  }

  async #firstDue(input: ControlPlaneInput): Promise<number> {
    const newest = newestKnown(await this.#judged(input));
    if (newest === undefined) return this.#now() + Math.min(retryMs, this.#everyMs);
    // One that was taken by a clock that was ahead must not keep others away.
    return Math.min(newest.at, this.#now()) + this.#everyMs;
  }

  #etcdWorks({ cluster }: ControlPlaneInput): boolean {
    const seen = this.#options.driver.look();
    return seen.some(({ scope, name, healthy }) => scope === `cluster/${cluster}` && name === 'etcd' && healthy);
  }

  async #take(input: ControlPlaneInput, reason: BackupReason): Promise<Backup> {
    const { place, log, programs, now } = this.#options;
    const { store, passphrase } = this.#accessTo(input);
    const keys = await this.#keysOf(input, passphrase);
    const backup = await takeBackup({ ...input, ...place }, { reason, store, passphrase, keys, programs, now });
    log.info('backed up', { cluster: input.cluster, backup: backup.name, bytes: backup.bytes, to: store.place });
    const keep = { ...usualRetention, schedule: input.backup?.keep ?? usualRetention.schedule };
    for (const old of superfluous(await this.#judged(input), keep)) await store.remove(old);
    return backup;
  }

  /** They leave this machine only encrypted. */
  async #keysOf(input: ControlPlaneInput, passphrase: string | undefined): Promise<string | undefined> {
    const { place, log } = this.#options;
    if (input.backup === undefined || passphrase !== undefined) return keysOf(place.store, passphrase);
    const next = 'name a passphrase in Seed.spec.backup.s3.passphrase, or keep a copy of the keys yourself';
    log.warn('the backup holds no keys', { cluster: input.cluster, keys: place.home.pki, next });
    return undefined;
  }
}
