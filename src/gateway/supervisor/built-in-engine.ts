// The built-in engine: a supervisor with workers beside it, in this process or as a program.
import { createLog, type Log, silentLog } from '../../sys/log.ts';
import type { ConnectionView, EngineOptions, GatewayEngine, RunningGateway } from '../engine.ts';
import { checkedSnapshot } from '../snapshot/index.ts';
import { runGateway } from './run.ts';
import { Supervisor } from './supervisor.ts';

const defaultGraceMs = 30_000;

export const builtInEngine: GatewayEngine = { name: 'built-in', start, run: runGateway };

async function start({ snapshot, graceMs = defaultGraceMs, log, ...options }: EngineOptions): Promise<RunningGateway> {
  const supervisor = new Supervisor({ ...options, graceMs, log: log ?? engineLog() });
  await supervisor.start(checkedSnapshot(snapshot));
  return {
    listening: () => supervisor.listening(),
    apply: async (next) => supervisor.apply(checkedSnapshot(next, supervisor.snapshot)),
    status: () => supervisor.status(),
    counters: () => supervisor.totals.sum(),
    refreshCounters: () => supervisor.refreshCounters(),
    connections: ({ cluster, most }) => connectionsOf(supervisor, cluster, most),
    reloadCertificate: () => supervisor.reloadCertificate(),
    upgrade: () => supervisor.restart(),
    stop: (drainMs) => supervisor.stop(drainMs),
  };
}

async function connectionsOf(
  supervisor: Supervisor,
  cluster: string | undefined,
  most: number,
): Promise<ConnectionView[]> {
  const answers = await supervisor.query({ ask: 'connections', cluster, most });
  return answers.flatMap(([, views]) => (views as ConnectionView[] | undefined) ?? []);
}

const engineLog = (): Log => (process.env.CAUSEWAY_DEBUG === undefined ? silentLog : createLog());
