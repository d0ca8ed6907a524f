// Command lines as records: names without dashes, in the order they are written.

export type Flags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export const flagsOf = (flags: Flags): string[] =>
  Object.entries(flags).map(([name, value]) => `--${name}=${Array.isArray(value) ? value.join(',') : value}`);

/** What is made public only by way of the gateway is bound here. */
export const loopback = '127.0.0.1';
export const leastTls = 'VersionTLS12';
