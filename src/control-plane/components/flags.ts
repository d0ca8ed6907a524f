// Command lines as records: names without dashes, in the order they are written.
import type { Text } from '../workload.ts';

export type Flags = Readonly<Record<string, Text | number | boolean | readonly string[]>>;

export const flagsOf = (flags: Flags): Text[] =>
  Object.entries(flags).map(([name, value]): Text => {
    if (typeof value !== 'object') return `--${name}=${value}`;
    if (isList(value)) return `--${name}=${value.join(',')}`;
    return { join: [`--${name}=`, ...('join' in value ? value.join : [value])] };
  });

const isList = (value: Flags[string]): value is readonly string[] => Array.isArray(value);

export const leastTls = 'VersionTLS12';
