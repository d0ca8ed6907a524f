// The agent's own page: is it alive, does a gateway answer, what has it done.
import type { AdminAnswer, AdminRoutes } from '../net/admin-server.ts';
import { expositionType } from '../net/exposition.ts';
import { type HostPort, hostPort } from '../net/host-port.ts';
import type { TransportState } from '../net/tunnel/transport.ts';
import type { Carrier } from './carrier.ts';
import { metricsText } from './metrics.ts';

export interface AdminSubject {
  readonly cluster: string;
  readonly authority: string;
  readonly carrier: Carrier;
  readonly state: () => TransportState;
  /** What to do about a problem of a gateway, where that is known. */
  readonly fixFor: (address: HostPort, problem: string) => string | undefined;
  readonly tokenExpires: () => number | undefined;
}

export const adminRoutes = (subject: AdminSubject): AdminRoutes => ({
  'GET /healthz': () => ({ text: 'ok' }),
  'GET /readyz': () => readiness(subject),
  'GET /metrics': () => ({ type: expositionType, text: metricsOf(subject) }),
  'GET /state': () => ({ json: stateOf(subject) }),
});

/** A gateway that answers and does not take our credentials is of no use to anybody. */
export const isUsable = ({ gateways }: TransportState): boolean =>
  gateways.some(({ healthy, problem }) => healthy && problem === undefined);

function readiness({ state, fixFor }: AdminSubject): AdminAnswer {
  const now = state();
  if (isUsable(now)) return { text: 'ok' };
  const lines = now.gateways.map(({ address, problem = 'not connected yet' }) => {
    const fix = fixFor(address, problem);
    return `${hostPort(address.host, address.port)}: ${problem}${fix === undefined ? '' : `\n  fix: ${fix}`}`;
  });
  return { status: 503, text: `no gateway takes connections\n${lines.join('\n')}` };
}

function metricsOf({ carrier, state, tokenExpires }: AdminSubject): string {
  const transport = state();
  return metricsText({ carrier, transport, ready: isUsable(transport), tokenExpires: tokenExpires() });
}

function stateOf({ cluster, authority, carrier, state, tokenExpires }: AdminSubject): object {
  const { accepted, open, waiting, failed } = carrier.counters;
  return {
    cluster,
    authority,
    ...state(),
    connections: { accepted, open, waiting, failed: Object.fromEntries(failed), bytes: carrier.bytes() },
    tokenExpires: tokenExpires(),
  };
}
