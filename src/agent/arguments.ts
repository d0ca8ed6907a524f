// The command line of a node agent, for units and components that start one.
import type { AgentFlags } from './options.ts';

/** In the order of the keys, so that a component whose flags are the same is the same component. */
export const agentArguments = (flags: AgentFlags): string[] =>
  Object.entries(flags).flatMap(([name, value]: [string, string | boolean | readonly string[] | undefined]) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [value].flat().flatMap((one) => [flag, one]);
  });
