// Records keyed by names that people choose: a cluster may be called "constructor".

export const entryOf = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
