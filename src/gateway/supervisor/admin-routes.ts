// What the admin address of a gateway answers.
import { isCausewayError } from '../../core/errors.ts';
import { type AdminAnswer, type AdminRoutes, exposition, expositionType } from '../../net/index.ts';
import type { ConnectionView, GatewayStatus, Listening } from '../engine.ts';
import { gatewayFamilies } from './metrics.ts';
import { residentMemory } from './process-limits.ts';
import type { Supervisor } from './supervisor.ts';

/** Why the newest snapshot is not in force. */
export interface Rejection {
  readonly at: Date;
  readonly problem: string;
}

/** How it is, for whoever looks after it. */
export interface GatewayReport extends Omit<GatewayStatus, 'snapshot'> {
  readonly pid: number;
  readonly listening: readonly Listening[];
  /** Version of the snapshot in force. */
  readonly version: string | null;
  /** As `RunningGateway.counters`. */
  readonly counters: Readonly<Record<string, number>>;
}

/** Of a command that was refused for a reason that people can read. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export interface AdminState {
  readonly supervisor: Supervisor;
  /** What lies beside the snapshot becomes the snapshot. */
  apply(): Promise<void>;
  rejection(): Rejection | undefined;
  drain(): void;
  restart(): Promise<void>;
  /** Resolves with the number of the process that serves now. */
  upgrade(): Promise<number>;
}

const mostConnections = 1000;

export const adminRoutes = (state: AdminState): AdminRoutes => ({
  'GET /healthz': () => ({ text: 'ok' }),
  'GET /readyz': () => readiness(state),
  'GET /metrics': async () => ({ type: expositionType, text: await metricsText(state) }),
  'GET /snapshot': () => ({ json: state.supervisor.snapshot }),
  'GET /listeners': () => ({ json: state.supervisor.listening() }),
  'GET /connections': (query) => connections(state, query),
  'GET /workers': () => ({ json: workers(state) }),
  'GET /status': async () => ({ json: await report(state.supervisor) }),
  'POST /apply': () => done(state.apply(), () => ({ applied: true })),
  'POST /certificate': () => done(state.supervisor.reloadCertificate(), () => ({ reloaded: true })),
  'POST /drain': () => {
    state.drain();
    return { status: 202, json: { draining: true } };
  },
  'POST /restart': () => done(state.restart(), () => ({ restarted: true })),
  'POST /upgrade': () => done(state.upgrade(), (pid) => ({ upgraded: true, pid })),
});

async function done<Result>(work: Promise<Result>, json: (result: Result) => object): Promise<AdminAnswer> {
  try {
    return { json: json(await work) };
  } catch (error) {
    if (!isCausewayError(error)) throw error;
    const { code, message, fix } = error;
    return { status: 409, json: { code, message, fix } satisfies Refusal };
  }
}

async function report(supervisor: Supervisor): Promise<GatewayReport> {
  await supervisor.refreshCounters();
  const { snapshot, ...status } = supervisor.status();
  return {
    ...status,
    pid: process.pid,
    listening: supervisor.listening(),
    version: snapshot?.version ?? null,
    counters: Object.fromEntries(supervisor.totals.sum()),
  };
}

function readiness({ supervisor, rejection }: AdminState): AdminAnswer {
  const { snapshot, ready, draining, pool } = supervisor;
  const rejected = rejection();
  return {
    status: ready ? 200 : 503,
    json: { ready, draining, version: snapshot?.version, workers: pool.ready().length, rejected },
  };
}

async function metricsText({ supervisor, rejection }: AdminState): Promise<string> {
  await supervisor.refreshCounters();
  const { pool, totals, snapshot, appliedAt } = supervisor;
  const processes = [{ process: 'supervisor', pid: process.pid }, ...pool.alive().map(workerProcess)];
  return exposition(
    gatewayFamilies({
      series: totals.sum(),
      version: snapshot?.version ?? '',
      rejected: rejection() !== undefined,
      appliedAt,
      workersWanted: pool.slots,
      workersReady: pool.ready().length,
      workerRestarts: pool.crashes,
      memory: processes.flatMap(({ process, pid }) => {
        const bytes = residentMemory(pid);
        return bytes === undefined ? [] : [{ process, bytes }];
      }),
      listeners: supervisor.listening().length,
    }),
  );
}

/** A worker that drains shares its slot with the next one; the series must differ. */
const workerProcess = ({ slot, pid, state }: { slot: number; pid: number; state: string }) => ({
  process: state === 'draining' ? `worker-${slot}-draining-${pid}` : `worker-${slot}`,
  pid,
});

async function connections({ supervisor }: AdminState, query: URLSearchParams): Promise<AdminAnswer> {
  const cluster = query.get('cluster') ?? undefined;
  const answers = await supervisor.query({ ask: 'connections', cluster, most: mostConnections });
  const views = answers.flatMap(([{ pid }, all = []]) =>
    (all as ConnectionView[]).map((view) => ({ worker: pid, ...view })),
  );
  const connections = views.sort((a, b) => b.ageMs - a.ageMs).slice(0, mostConnections);
  const silent = answers.flatMap(([{ pid }, all]) => (all === undefined ? [pid] : []));
  return { json: { shown: connections.length, connections, ...(silent.length > 0 && { silentWorkers: silent }) } };
}

const workers = ({ supervisor: { pool, totals } }: AdminState): object[] =>
  pool.alive().map((worker) => ({
    slot: worker.slot,
    pid: worker.pid,
    state: worker.state,
    startedAt: new Date(worker.startedAt).toISOString(),
    open: openOf(totals.of(worker)),
    residentMemory: residentMemory(worker.pid),
  }));

const openOf = (series: ReadonlyMap<string, number>): number => {
  let open = 0;
  for (const [name, value] of series) if (name.startsWith('open ')) open += value;
  return open;
};
