// What supervisor and workers say to each other. A question has an id and is answered; a notice is not.
import type { Level, LogFields } from '../../sys/log.ts';
import type { Listening } from '../engine.ts';
import type { SnapshotChange } from '../snapshot/snapshot.ts';
import type { Counters } from './metrics.ts';

export interface TunnelCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What a worker needs to know at once, before anything else. */
export interface WorkerSettings {
  readonly slot: number;
  /** Of the supervisor; another one at the admin address is a successor. */
  readonly instance: string;
  /** Where a worker whose supervisor was killed looks for the next one. Absent: it ends with its supervisor. */
  readonly admin?: string;
  readonly graceMs: number;
  /** For its connections, when it makes room for a worker of another supervisor. */
  readonly replacedGraceMs: number;
}

export type Question =
  | { readonly ask: 'settings'; readonly settings: WorkerSettings }
  | { readonly ask: 'change'; readonly change: SnapshotChange }
  | { readonly ask: 'certificate'; readonly certificate: TunnelCertificate | undefined }
  /** A handle comes with it, unless the worker is to bind by itself. */
  | { readonly ask: 'listen'; readonly key: string; readonly listening: Listening }
  | { readonly ask: 'unlisten'; readonly keys: readonly string[] }
  /** Answered when nothing is accepted any more; the worker ends by itself when its connections have ended. */
  | { readonly ask: 'drain'; readonly graceMs: number }
  /** Told as a notice, and then answered: a late answer is thrown away, figures are not. */
  | { readonly ask: 'counters' }
  | { readonly ask: 'connections'; readonly cluster: string | undefined; readonly most: number };

export interface Asked {
  readonly id: number;
  readonly question: Question;
}

export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Of clusters with limits where something happened: open connections, and admissions since the last report. */
export type LimitCounts = Readonly<Record<string, readonly [open: number, admitted: number]>>;

export interface LogEntry {
  readonly level: Level;
  readonly message: string;
  readonly fields?: LogFields;
}

export type ToWorker = Asked | { readonly others: LimitCounts };
export type FromWorker = Answer | { readonly hello: true } | Notice;
export type Notice = { readonly limits: LimitCounts } | { readonly counters: Counters } | { readonly log: LogEntry };
