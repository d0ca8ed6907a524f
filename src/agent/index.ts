// The node agent: its flags and options, and the ways to start it. What runs is loaded when it is started, because many need
// the arguments of an agent and few an agent.
import type { runAgent as run, startAgent as start } from './agent.ts';
import type { runCheck as check } from './check/check.ts';

export { addressArguments } from './address-arguments.ts';
export type { RunningAgent } from './agent.ts';
export { agentArguments } from './arguments.ts';
export { type AgentFlags, type AgentOptions, readOptions } from './options.ts';

/** In this process. */
export const startAgent: typeof start = async (...args) => (await import('./agent.ts')).startAgent(...args);
/** As a program: until it is told to stop. */
export const runAgent: typeof run = async (...args) => (await import('./agent.ts')).runAgent(...args);
/** Tries the path to the API server once, and tells what became of each hop. */
export const runCheck: typeof check = async (...args) => (await import('./check/check.ts')).runCheck(...args);
