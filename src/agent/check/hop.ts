// The hops from this machine to the API server of a cluster, and what became of each.
import { CausewayError } from '../../core/errors.ts';
import { type Step, steps } from '../../net/proxy-dial/step.ts';

export const hops = [...steps, 'transport', 'open', 'api-server'] as const;
export type HopName = Step | 'transport' | 'open' | 'api-server';

export interface Hop {
  readonly hop: HopName;
  readonly outcome: 'ok' | 'failed' | 'skipped';
  readonly ms?: number;
  /** What was found, why it failed, or why it was left out. */
  readonly detail?: string;
  readonly code?: string;
  readonly fix?: string;
}

export interface CheckedGateway {
  /** host:port */
  readonly gateway: string;
  readonly ok: boolean;
  readonly hops: readonly Hop[];
}

export const failedHop = (hop: HopName, error: Error, ms?: number): Hop => ({
  hop,
  outcome: 'failed',
  detail: error.message,
  ...(ms === undefined ? {} : { ms }),
  ...(error instanceof CausewayError ? { code: error.code, fix: error.fix } : {}),
});

/** All hops in their order; what was not reached says so. */
export const complete = (found: readonly Hop[], why: (hop: HopName) => string | undefined): Hop[] =>
  hops.map((name) => found.find(({ hop }) => hop === name) ?? { hop: name, outcome: 'skipped', detail: why(name) });
