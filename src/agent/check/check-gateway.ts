// Goes to one gateway and through it, once.

import { connect, type TLSSocket } from 'node:tls';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { type HostPort, hostPort } from '../../core/host-port.ts';
import { DialError, type Dialled, dialRoute, type Step, steps, withDeadline } from '../../net/proxy-dial/index.ts';
import { type Presented, presentedBy } from '../../net/tls/index.ts';
import { createTransport, type Dialer, type Transport, TunnelRefused } from '../../net/tunnel/index.ts';
import { duplexOfWire, type Wire } from '../../net/wire/index.ts';
import { type RouteTo, watchedDialer } from '../dialer.ts';
import type { AgentOptions } from '../options.ts';

export interface CheckSubject {
  readonly options: AgentOptions;
  readonly routeTo: RouteTo;
  readonly token: (() => string) | undefined;
  /** For each of the last three hops. @default 10000 */
  readonly timeoutMs?: number;
}
const longestMs = 10_000;

export async function checkGateway(subject: CheckSubject, gateway: HostPort): Promise<CheckedGateway> {
  const found: Hop[] = [];
  try {
    const first = await reach(subject, gateway, found);
    await goThrough(subject, gateway, first, found);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  const done = complete(found, reasonToSkip(subject.options, found));
  return {
    gateway: hostPort(gateway.host, gateway.port),
    ok: done.every(({ outcome }) => outcome !== 'failed'),
    hops: done,
  };
}

/** A hop failed, and it is in the list. */
class Stopped extends Error {}

function stop(found: Hop[], hop: Hop): never {
  found.push(hop);
  throw new Stopped();
}

async function reach({ routeTo }: CheckSubject, gateway: HostPort, found: Hop[]): Promise<Dialled> {
  try {
    const observe = ({ step, ms, detail }: { step: HopName; ms: number; detail: string }): void =>
      void found.push({ hop: step, outcome: 'ok', ms, detail });
    return await dialRoute(routeTo(gateway), { observe });
  } catch (error) {
    if (!(error instanceof DialError)) throw error;
    return stop(found, failedHop(error.step, error, error.ms));
  }
}

async function goThrough(subject: CheckSubject, gateway: HostPort, first: Dialled, found: Hop[]): Promise<void> {
  const { options, routeTo, token, timeoutMs = longestMs } = subject;
  const transport = createTransport({
    gateways: [gateway],
    dialer: startingWith(first, watchedDialer(routeTo).dial),
    protocol: options.transport,
    credentials: () => token?.(),
  });
  try {
    await settle(transport, subject, found);
    await lookBehind(await opened(transport, subject, found), timeoutMs, found);
  } finally {
    transport.close();
  }
}

/** A gateway counts those who come and say nothing, so the connection that was made to look at the way is used. */
function startingWith(first: Dialled, dialer: Dialer): Dialer {
  let spare: Dialled | undefined = first;
  return (address, done) => {
    if (spare === undefined) return dialer(address, done);
    const connection = spare;
    spare = undefined;
    const immediate = setImmediate(done, undefined, connection);
    return () => {
      clearImmediate(immediate);
      connection.wire.destroy();
    };
  };
}

/** Until both ends have agreed on what to speak. */
async function settle(transport: Transport, subject: CheckSubject, found: Hop[]): Promise<void> {
  const { options, timeoutMs = longestMs } = subject;
  const started = performance.now();
  const passed = (): number => performance.now() - started;
  while (!transport.state.ready && transport.state.gateways[0]?.problem === undefined && passed() < timeoutMs)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const [gateway] = transport.state.gateways;
  if (gateway === undefined || !gateway.healthy)
    stop(found, failedHop('transport', tunnelProblem(gateway?.problem, options.plaintext), passed()));
  found.push({ hop: 'transport', outcome: 'ok', ms: passed(), detail: gateway.protocol ?? '' });
}

const opened = (transport: Transport, { options, timeoutMs = longestMs }: CheckSubject, found: Hop[]): Promise<Wire> =>
  new Promise<Wire>((resolve, reject) => {
    const timer = setTimeout(() => reject(tunnelProblem(undefined, options.plaintext)), timeoutMs);
    transport.open(options.authority, (error, wire) => {
      clearTimeout(timer);
      if (wire === undefined) reject(error);
      else resolve(wire);
    });
  }).catch((error: Error) => stop(found, failedHop('open', error)));

async function lookBehind(wire: Wire, timeoutMs: number, found: Hop[]): Promise<void> {
  const started = performance.now();
  try {
    const presented = await certificateBehind(wire, timeoutMs);
    found.push({ hop: 'open', outcome: 'ok' });
    found.push({ hop: 'api-server', outcome: 'ok', ms: performance.now() - started, detail: who(presented) });
  } catch (error) {
    if (error instanceof TunnelRefused) stop(found, { ...failedHop('open', error), fix: refusalFix(error.refusal) });
    found.push({ hop: 'open', outcome: 'ok' });
    stop(found, failedHop('api-server', error as Error, performance.now() - started));
  }
}

const who = ({ subject, issuer, names }: Presented): string =>
  `${subject}; issued by ${issuer}${names.length === 0 ? '' : `; for ${names.join(', ')}`}`;

function reasonToSkip({ proxy, plaintext }: AgentOptions, found: readonly Hop[]) {
  const failed = found.some(({ outcome }) => outcome === 'failed');
  return (hop: HopName): string | undefined => {
    if (hop.endsWith('-proxy') && proxy === undefined) return 'no proxy';
    if (hop === 'tls-proxy' && proxy?.scheme === 'http') return 'the proxy is spoken to without TLS';
    if (/^(resolve|connect)-gateway$/.test(hop) && proxy !== undefined) return 'the proxy does that';
    if (hop === 'tls-gateway' && plaintext) return 'without TLS';
    return failed ? 'not reached' : undefined;
  };
}

// The hops from this machine to the API server of a cluster, and what became of each.

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

// Asks whoever is behind the tunnel for its certificate, as a pod does: by a service address, so without SNI.

/** Nothing is sent to it, so nothing is at stake: whose certificate it is, is for a person to judge. */
export const certificateBehind = (wire: Wire, timeoutMs: number): Promise<Presented> =>
  withDeadline(timeoutMs, undefined, (signal) => shakeHands(wire, signal)).finally(() => wire.destroy());

const shakeHands = (wire: Wire, signal: AbortSignal): Promise<Presented> =>
  new Promise((resolve, reject) => {
    const stream = duplexOfWire(wire);
    const tls = connect({ socket: stream, rejectUnauthorized: false });
    const finish = (): void => void tls.on('error', () => {}).destroy();
    signal.addEventListener('abort', finish, { once: true });
    // The reason is the stream's: TLS on top of it only knows that it was cut.
    stream.once('error', reject);
    tls.once('error', (error) => setImmediate(reject, error));
    tls.once('close', () => setImmediate(reject, silent()));
    tls.once('secureConnect', () => {
      const presented = presentedOn(tls);
      finish();
      if (presented === undefined) reject(silent());
      else resolve(presented);
    });
  });

function presentedOn(tls: TLSSocket): Presented | undefined {
  const certificate = tls.getPeerX509Certificate();
  return certificate === undefined ? undefined : presentedBy(certificate);
}

const silent = (): CausewayError =>
  new CausewayError(
    'CW-CHECK-API-SERVER',
    'the API server closed the connection without a certificate',
    'check that the cluster runs, and that the backends in the snapshot of the gateway are its API servers',
    exitCodes.findings,
  );

// What to do on the agent's side when the gateway says no.

const fixes: Readonly<Record<string, string>> = {
  'not-tls': 'the tunnel wants TLS: leave out --plaintext, and give --ca FILE and the credentials it asks for',
  'not-connect': 'something on the way changes requests: look for a proxy that opens the tunnel, and go around it',
  'no-authority': 'something on the way changes requests: look for a proxy that opens the tunnel, and go around it',
  'no-credentials': 'give --token-file FILE, or --cert FILE and --key FILE, as the gateway asks for',
  'bad-token': 'the token is damaged: make a new one with causeway gateway token CLUSTER --key FILE',
  'expired-token': 'make a new token with causeway gateway token CLUSTER --key FILE, and check the clocks',
  'foreign-token': "the key that signed the token is not among the gateway's: use a token of this seed",
  'wrong-cluster': 'the credentials are for another cluster: check --cluster and the token',
  'bad-certificate': 'the client certificate must be signed by an authority in the snapshot and name the cluster',
  'unknown-authority': 'no cluster of this gateway has that authority: check --cluster, --authority and the snapshot',
  'no-backend': 'no API server of the cluster could be reached from the gateway: check that it runs',
  'source-not-allowed': "this machine's address is not in the cluster's allowed source ranges",
  'too-many-connections': "the cluster's limit of connections is reached",
  'too-fast': "the cluster's limit of new connections per second is reached",
  'too-many-streams':
    'a program on this machine opens very many connections: find it (GET /state of the agent counts them)',
  'too-many-resets': 'a program on this machine opens and breaks connections all the time: find it',
  'too-many-refusals':
    'an agent here asks with wrong credentials again and again: the refusals before this one name them',
  'too-much-unread': 'a program on this machine opens connections and does not read them: find it',
  'too-many-opens': 'a program on this machine opens connections all the time: find it',
  'too-many-signatures': 'the gateway is flooded with unknown tokens; the agent tries again by itself',
  'no-descriptors':
    'the gateway is short of open files, and this cluster has had its share: find what opens so many connections here, or have it allowed more',
  'evicted-node':
    'this node was shut out: if it is sound, ask whoever runs the platform for causeway cluster readmit-node',
  'revoked-token': 'the token was taken back: run the script of causeway cluster join again, or make a new token',
  'nodeless-token': 'the token names no node: use one that is bound to a node, or make one with --node',
  'headers-too-large': 'the token is far too long, or something on the way adds headers: check the token file',
  draining: 'the gateway is being stopped; try again',
};

/** A newer gateway may have reasons that are not known here; its sentence, which is shown too, says what is wrong. */
export const refusalFix = (refusal: string): string =>
  fixes[refusal] ?? "do as the gateway's sentence says; its log and its reference of refusals tell more";

export const tunnelProblem = (problem: string | undefined, plaintext: boolean): CausewayError =>
  new CausewayError(
    'CW-CHECK-TUNNEL',
    problem ?? 'the gateway took the connection and did not answer',
    `check that this is the tunnel of a gateway, its log, and --transport${plaintext ? '; where it speaks TLS, leave out --plaintext' : ''}`,
    exitCodes.findings,
  );
