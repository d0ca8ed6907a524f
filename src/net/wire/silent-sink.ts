import type { Sink } from './wire.ts';

/** Where nobody listens, yet or any more. */
export const silentSink: Sink = { data: () => false, end: () => {}, drained: () => {}, closed: () => {} };
