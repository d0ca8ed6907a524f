// Says when a gateway comes and goes, and why: once for each change, not for each attempt.
import { CausewayError } from '../core/errors.ts';
import { hostPort } from '../core/host-port.ts';
import type { GatewayState, TransportState } from '../net/tunnel/index.ts';
import type { Log, LogFields } from '../sys/log.ts';
import type { WatchedDialer } from './dialer.ts';

export interface Report {
  /** To be called whenever something may have changed. */
  look(state: TransportState): void;
}

export function createReport(log: Log, { failureOf }: Pick<WatchedDialer, 'failureOf'>): Report {
  const told = new Map<string, string>();
  let wasReady: boolean | undefined;
  const lookAt = (gateway: GatewayState): void => {
    const { address, healthy, protocol, problem } = gateway;
    const name = hostPort(address.host, address.port);
    const now = healthy ? `up ${protocol} ${problem ?? ''}` : `down ${problem ?? ''}`;
    // Nothing is known of it yet.
    if (told.get(name) === now || (!healthy && problem === undefined && !told.has(name))) return;
    told.set(name, now);
    if (healthy && problem === undefined) log.info(`connected to gateway ${name}`, { protocol });
    else log.warn(sentence(name, gateway), causeOf(problem, failureOf(address, problem ?? '')));
  };
  return {
    look: (state) => {
      for (const gateway of state.gateways) lookAt(gateway);
      if (wasReady === true && !state.ready)
        log.error('no gateway answers: connections wait for five seconds and are then reset');
      wasReady = state.ready;
    },
  };
}

const sentence = (name: string, { healthy, problem }: GatewayState): string =>
  healthy
    ? `gateway ${name} answers, but there is a problem: ${problem}`
    : `not connected to gateway ${name}: ${problem ?? 'it was lost'}`;

const causeOf = (problem: string | undefined, failure: Error | undefined): LogFields =>
  problem !== undefined && failure instanceof CausewayError ? { code: failure.code, fix: failure.fix } : {};

/** Each reason once in an interval, with how often it came since. */
export function oncePerReason(
  log: Log,
  { everyMs = 60_000, now = () => performance.now() }: { everyMs?: number; now?: () => number } = {},
): (reason: string, error: Error | undefined) => void {
  const seen = new Map<string, { at: number; since: number }>();
  return (reason, error) => {
    // Programs end connections as they like; that is counted, but nobody has to do anything about it.
    if (reason === 'reset') return;
    const before = seen.get(reason);
    if (before !== undefined && now() - before.at < everyMs) {
      before.since += 1;
      return;
    }
    if (seen.size < 64 || before !== undefined) seen.set(reason, { at: now(), since: 0 });
    const more = before === undefined || before.since === 0 ? {} : { alsoSince: before.since };
    log.warn(sentences[reason] ?? `a connection ended early (${reason})`, { reason, ...more, ...detailOf(error) });
  };
}

const sentences: Readonly<Record<string, string>> = {
  'no-gateway': 'a connection was reset: no gateway answered for five seconds',
  'too-many-waiting': 'a connection was reset: too many wait for a gateway',
  'half-closed': 'a connection was reset: one side had ended, and nothing came from the other',
  draining: 'a connection was reset: the agent is ending',
};

const detailOf = (error: Error | undefined): LogFields =>
  error === undefined ? {} : { error: error.message.slice(0, 300) };
