// How long credentials that are given away are good: where nothing is said, and at most. API, commands and whoever
// issues them obey this table; a longer one is refused, not shortened.
import { durationMs } from './duration.ts';
import { CausewayError } from './errors.ts';

export const lifetimes = {
  /** Of a person, for one cluster. */
  kubeconfig: { usual: '8h', most: '720h' },
  /** With it a machine becomes a worker. */
  join: { usual: '1h', most: '168h' },
  /** Bearer token of the API. */
  token: { usual: '8h', most: '720h' },
} as const;

/** Of an answer of the API with a kubeconfig: the id by which it is revoked. */
export const kubeconfigIdHeader = 'x-causeway-kubeconfig';

export type Lifetime = keyof typeof lifetimes;

export const usualMs = (kind: Lifetime): number => durationMs(lifetimes[kind].usual) ?? 0;
export const mostMs = (kind: Lifetime): number => durationMs(lifetimes[kind].most) ?? 0;

/** For whoever issues it: the last place where a longer one can be refused. */
export function assertLifetime(kind: Lifetime, ms: number): void {
  if (ms > 0 && ms <= mostMs(kind)) return;
  throw new CausewayError(
    'CW-LIFETIME',
    `a ${words[kind]} cannot be good for ${Math.round(ms / 1000)} s`,
    `ask for at most ${lifetimes[kind].most}, and for a new one when it ends`,
  );
}

const words: Readonly<Record<Lifetime, string>> = {
  kubeconfig: 'kubeconfig',
  join: 'join token',
  token: 'bearer token',
};
