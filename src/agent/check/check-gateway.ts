// Goes to one gateway and through it, once.
import { type HostPort, hostPort } from '../../net/host-port.ts';
import type { Presented } from '../../net/proxy-dial/certificate.ts';
import { type Dialled, dialRoute } from '../../net/proxy-dial/dial-route.ts';
import { DialError } from '../../net/proxy-dial/step.ts';
import { createTransport } from '../../net/tunnel/create-transport.ts';
import { TunnelRefused } from '../../net/tunnel/errors.ts';
import type { Dialer, Transport } from '../../net/tunnel/transport.ts';
import type { Wire } from '../../net/wire/wire.ts';
import { type RouteTo, watchedDialer } from '../dialer.ts';
import type { AgentOptions } from '../options.ts';
import { type CheckedGateway, complete, failedHop, type Hop, type HopName } from './hop.ts';
import { certificateBehind } from './look-behind.ts';
import { refusalFix, tunnelProblem } from './refusal.ts';

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
