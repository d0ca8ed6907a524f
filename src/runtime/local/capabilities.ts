// What control planes on one machine can do, for the plan of what runs on it.
import type { Runtime } from '../../plan/index.ts';

/** One process of each component: a second one on the same machine would fail together with the first. */
export const localRuntime: Runtime = { name: 'this machine', mostReplicas: 1, agents: 'one-per-machine' };
