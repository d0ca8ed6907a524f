// A worker without its process: the gateway, its listeners, and answers to the supervisor's questions.

import { acceptOn, type Listener, listen, type Wire } from '../../net/wire/index.ts';
import type { NativeListener } from '../../net/wire/native.ts';
import type { Log } from '../../sys/log.ts';
import { createDataplane, type Dataplane } from '../dataplane/dataplane.ts';
import type { TunnelHost } from '../dataplane/interfaces.ts';
import { createTunnelServer, type TunnelServer } from '../dataplane/tunnel/tunnel-server.ts';
import type { Listening } from '../engine.ts';
import type { LimitCounts, Question, WorkerSettings } from './messages.ts';
import { ChangedSeries, type Counters, seriesOf } from './metrics.ts';
import { markServing, type ServingMark } from './orphaned-workers.ts';
import { filesForConnections, openFileLimit } from './process-limits.ts';

export interface GatewayWorker {
  answer(question: Question, handle: unknown): Promise<unknown>;
  others(counts: LimitCounts): void;
  limits(): LimitCounts;
  changedCounters(): Counters;
  settings(): WorkerSettings;
  /** Accepts nothing more; `drained` resolves when all connections have ended. */
  drain(graceMs?: number): void;
  readonly drained: Promise<void>;
  /** No connection is open. */
  isIdle(): boolean;
}

export function startWorker(log: Log): GatewayWorker {
  let server: TunnelServer | undefined;
  const tunnel = (host: TunnelHost): TunnelServer => {
    server = createTunnelServer(host, { log });
    return server;
  };
  const limit = openFileLimit() ?? Number.POSITIVE_INFINITY;
  const files = (): number => filesForConnections({ files: limit, listeners: listeners.size });
  const gateway = createDataplane({ log, tunnel, files });
  const listeners = new WorkerListeners(({ kind, address, wanted }, wire) =>
    gateway.accept({ kind, address, port: wanted }, wire),
  );
  const changed = new ChangedSeries();
  const drained = Promise.withResolvers<void>();
  let mark: ServingMark | undefined;
  let settings: WorkerSettings = { slot: 0, instance: '', graceMs: 0, replacedGraceMs: 0 };
  const drain = (graceMs = settings.graceMs): void => {
    listeners.closeAll();
    mark?.remove();
    void gateway.drain(graceMs).then(drained.resolve);
  };
  const answers = answersOf(gateway, listeners);
  return {
    answer: async (question, handle) => {
      if (question.ask === 'settings') {
        settings = question.settings;
        mark = settings.admin === undefined ? undefined : markServing(settings.admin);
      } else if (question.ask === 'certificate') server?.setCertificate(question.certificate);
      else if (question.ask === 'change') gateway.apply(question.change, settings.graceMs);
      else if (question.ask === 'drain') drain(question.graceMs);
      else return answers(question, handle);
      return undefined;
    },
    others: (counts) => gateway.limitsOthers(counts),
    limits: () => gateway.limitsReport(),
    changedCounters: () => changed.since({ ...seriesOf(gateway.counters()), ...failedAccepts(listeners) }),
    settings: () => settings,
    drain,
    drained: drained.promise,
    isIdle: () => gateway.connections({ most: 1 }).length === 0,
  };
}

const failedAccepts = ({ failed }: WorkerListeners): Counters =>
  Object.fromEntries(Array.from(failed, ([code, count]) => [`failed-accepts ${code}`, count]));

const answersOf =
  (gateway: Dataplane, listeners: WorkerListeners) =>
  async (question: Question, handle: unknown): Promise<unknown> => {
    switch (question.ask) {
      case 'listen':
        return listeners.open(question.key, question.listening, handle as NativeListener | undefined);
      case 'unlisten':
        return listeners.close(question.keys);
      case 'connections':
        return gateway.connections({ cluster: question.cluster, most: question.most });
      default:
        return undefined;
    }
  };

// The listeners of one worker. Their sockets belong to the supervisor: closing them here ends only our accepting.

export class WorkerListeners {
  readonly #open = new Map<string, Listener[]>();
  readonly #accept: (listening: Listening, wire: Wire) => void;
  /** How often the system did not give a connection, by its code. */
  readonly failed = new Map<string, number>();

  constructor(accept: (listening: Listening, wire: Wire) => void) {
    this.#accept = accept;
  }

  async open(key: string, listening: Listening, handle: NativeListener | undefined): Promise<void> {
    const onWire = (wire: Wire): void => this.#accept(listening, wire);
    const failed = (code: string): void => void this.failed.set(code, (this.failed.get(code) ?? 0) + 1);
    const listener =
      handle === undefined
        ? await listen(listening.address, listening.port, onWire, { reusePort: true, failed })
        : acceptOn(handle, onWire, failed);
    this.#open.set(key, [...(this.#open.get(key) ?? []), listener]);
  }

  get size(): number {
    return this.#open.size;
  }

  close(keys: readonly string[]): void {
    for (const key of keys) {
      for (const listener of this.#open.get(key) ?? []) listener.close();
      this.#open.delete(key);
    }
  }

  closeAll(): void {
    this.close([...this.#open.keys()]);
  }
}
