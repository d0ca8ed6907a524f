// What the descriptions of all commands are made with.
import { Option } from 'commander';
import { type Lifetime, lifetimes } from '../core/lifetimes.ts';

export const onlyOne = (flags: string, text: string, choices: readonly string[]): Option =>
  new Option(flags, text).choices(choices);
export const list = (value: string, before: string[] = []): string[] => [...before, value];
export const ttl = { least: '1s' };
export const ttlOf = (kind: Lifetime): typeof ttl & { readonly most: string } => ({
  ...ttl,
  most: lifetimes[kind].most,
});
const usualPlace = '(default: here, or ./platform)';
export const manifests = `directory of the manifests, one file, or - for standard input ${usualPlace}`;

type Run = (...args: never[]) => Promise<number>;
/** Loads the command only now, and turns its result into the exit code. */
export const run =
  (load: () => Promise<Run>) =>
  async (...args: unknown[]): Promise<void> => {
    const command = await load();
    process.exitCode = await command(...(args.slice(0, -1) as never[]));
  };

export const platformArgument = `directory of the manifests ${usualPlace}`;
