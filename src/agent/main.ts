// An agent as a program: until it is told to stop.
import { exitCodes } from '../core/errors.ts';
import { createLog, type Log, surviveClosedOutput } from '../net/log.ts';
import { type RunningAgent, startAgent } from './agent.ts';
import type { AgentOptions } from './options.ts';

export async function runAgent(options: AgentOptions, log: Log = createLog()): Promise<number> {
  surviveClosedOutput();
  const agent = await startAgent(options, log);
  await signal();
  await stopKindly(agent, options.graceMs, log);
  return exitCodes.ok;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

const signal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const name of signals) process.once(name, () => resolve());
  });

/** The first signal drains; a second one does not wait any longer. */
async function stopKindly(agent: RunningAgent, graceMs: number, log: Log): Promise<void> {
  log.info(`stopping: no new connections; those that are open have ${Math.round(graceMs / 1000)} s to end`);
  const stopped = agent.stop(graceMs);
  void signal().then(() => agent.stop());
  const left = await stopped;
  if (left > 0) log.warn(`${left} connections were still open and have been reset`);
}
