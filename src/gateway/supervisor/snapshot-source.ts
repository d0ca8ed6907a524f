// Keeps a supervisor at the content of a file: what is good is applied, what is bad is told and otherwise ignored.
import { CausewayError } from '../../core/errors.ts';
import type { Log } from '../../net/log.ts';
import { type Snapshot, snapshotWarnings } from '../snapshot/index.ts';
import { sameJson } from '../snapshot/same-json.ts';
import type { Rejection } from './admin-routes.ts';
import { refusedSnapshot } from './refused-snapshot.ts';
import { readSettled, signature, type WatchedFile, watchFile } from './snapshot-file.ts';
import type { Supervisor } from './supervisor.ts';

/** The snapshot in a file, or all that is wrong with it. What is as it was `before` is not checked again. */
async function loadSnapshot(file: string, before: Snapshot | undefined): Promise<Snapshot> {
  const reading = await readSettled(file, before);
  if (reading === undefined)
    throw new CausewayError(
      'CW-GATEWAY-SNAPSHOT',
      `the snapshot ${file} cannot be read`,
      'name a file that exists and that this user may read; examples/gateway/snapshot.json is one to begin with',
    );
  if (reading.snapshot === undefined) throw refusedSnapshot(reading.problems);
  return reading.snapshot;
}

export class SnapshotSource {
  /** Why the newest content is not in force. */
  rejection: Rejection | undefined;
  readonly #supervisor: Supervisor;
  readonly #file: string;
  readonly #log: Log;
  #watched: WatchedFile[] = [];
  #certificateKey = '';
  #known: string | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(supervisor: Supervisor, file: string, log: Log) {
    this.#supervisor = supervisor;
    this.#file = file;
    this.#log = log;
  }

  /** The content now; `watch` goes on from here. */
  load(): Promise<Snapshot> {
    this.#known = signature(this.#file);
    return loadSnapshot(this.#file, this.#supervisor.snapshot);
  }

  watch(): void {
    this.close();
    this.#watched = [watchFile(this.#file, () => this.reload(), this.#known)];
    this.#watchCertificate();
  }

  close(): void {
    for (const file of this.#watched) file.close();
    this.#watched = [];
    this.#certificateKey = '';
  }

  /** One reading at a time; a change meanwhile is read after it. */
  reload(): void {
    this.#again = this.#reading !== undefined;
    this.#reading ??= this.#reload().finally(() => {
      this.#reading = undefined;
      if (this.#again) this.reload();
    });
  }

  async #reload(): Promise<void> {
    try {
      const snapshot = await this.load();
      // Events come in groups, and editors save what is unchanged.
      if (sameJson(snapshot, this.#supervisor.snapshot)) return this.#inOrder(snapshot);
      await this.#supervisor.apply(snapshot);
      this.rejection = undefined;
      this.#log.info('snapshot in force', {
        version: snapshot.version,
        clusters: Object.keys(snapshot.clusters).length,
      });
      for (const warning of snapshotWarnings(snapshot)) this.#log.warn(warning);
      this.#watchCertificate();
    } catch (error) {
      this.#reject(error as Error);
    }
  }

  #inOrder({ version }: Snapshot): void {
    if (this.rejection !== undefined)
      this.#log.info('the snapshot is in order again: it is the one in force', { version });
    this.rejection = undefined;
  }

  #reject(error: Error): void {
    this.rejection = { at: new Date(), problem: error.message };
    const fix = error instanceof CausewayError ? error.fix : undefined;
    const inForce = this.#supervisor.snapshot?.version;
    this.#log.error(`${error.message}\nthe snapshot before it stays in force`, { inForce, fix });
  }

  /** The names are in the snapshot, so the files may be others each time. */
  #watchCertificate(): void {
    const files = this.#supervisor.certificateFiles();
    const key = JSON.stringify(files ?? '');
    if (key === this.#certificateKey || this.#watched.length === 0) return;
    this.#certificateKey = key;
    for (const file of this.#watched.splice(1)) file.close();
    for (const file of Object.values(files ?? {})) this.#watched.push(watchFile(file, () => this.#renew()));
  }

  /** Two files are replaced one after the other: between the two they do not fit, and the second one tells again. */
  #renew(): void {
    this.#supervisor.reloadCertificate().then(
      () => this.#log.info('the tunnel has a new certificate'),
      (error: Error) => this.#log.warn(`${error.message}; the certificate before it stays in use`),
    );
  }
}
