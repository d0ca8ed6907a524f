// The built-in engine as a library: the supervisor in this process, workers beside it. They end when this process does.
import { createLog, type Log, silentLog } from '../../net/log.ts';
import type { EngineOptions, GatewayEngine, RunningGateway } from '../engine.ts';
import { checkSnapshot, type Snapshot } from '../snapshot/index.ts';
import { refusedSnapshot } from '../snapshot/read-snapshot.ts';
import { Supervisor } from './supervisor.ts';

export { Supervisor, type SupervisorOptions } from './supervisor.ts';

const defaultGraceMs = 30_000;

export const builtInEngine: GatewayEngine = {
  name: 'built-in',
  start: async ({ snapshot, addresses, workers, graceMs = defaultGraceMs }: EngineOptions): Promise<RunningGateway> => {
    const supervisor = new Supervisor({ addresses, workers, graceMs, log: engineLog() });
    await supervisor.start(checked(snapshot));
    return {
      listening: () => supervisor.listening(),
      apply: async (next) => supervisor.apply(checked(next, supervisor.snapshot)),
      stop: (drainMs) => supervisor.stop(drainMs),
    };
  },
};

/** What was written by hand is refused with all that is wrong with it. */
export function checked(snapshot: unknown, before?: Snapshot): Snapshot {
  const reading = checkSnapshot(snapshot, before);
  if (reading.snapshot !== undefined) return reading.snapshot;
  throw refusedSnapshot(reading.problems);
}

const engineLog = (): Log => (process.env.CAUSEWAY_DEBUG === undefined ? silentLog : createLog());
