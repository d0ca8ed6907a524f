// One agent, from what it was told to what it does: listen, carry, tell.
import { CausewayError, exitCodes } from '../core/errors.ts';
import { hostPort } from '../core/host-port.ts';
import { type AdminAddress, type AdminServer, serveAdmin } from '../net/index.ts';
import { createTransport, type Transport, type TransportState } from '../net/tunnel/index.ts';
import { type Endpoint, type Listener, thisMachine, type Vantage } from '../net/wire/index.ts';
import { createLog, type Log, surviveClosedOutput } from '../sys/log.ts';
import { type AdminSubject, adminRoutes, isUsable } from './admin.ts';
import { type RouteTo, routesOf, type WatchedDialer, watchedDialer } from './dialer.ts';
import { Forwarder } from './forwarder.ts';
import { ensureAddress, keepAddress, listenExclusively } from './listen-address.ts';
import type { AgentOptions } from './options.ts';
import { createReport, oncePerReason } from './report.ts';
import { type Token, tokenFrom } from './token.ts';

export interface RunningAgent {
  readonly listening: Endpoint;
  readonly admin: AdminAddress | undefined;
  state(): TransportState;
  /** Why no gateway takes connections, and what to do about it. */
  problem(): { readonly why: string; readonly fix?: string } | undefined;
  /**
   * Stops accepting, waits for connections to end by themselves, then ends them. Answers how many those were. A second
   * call means: do not wait any longer.
   */
  stop(graceMs?: number): Promise<number>;
}

/** Gateways and proxies are reached from the vantage. */
export async function startAgent(
  options: AgentOptions,
  log: Log,
  vantage: Vantage = thisMachine,
): Promise<RunningAgent> {
  const told = readFiles(options, log, vantage);
  await ensureAddress(options.listen.host, { log });
  const core = createCore(options, told, log);
  try {
    const listener = await listenExclusively(options.listen, (wire) => core.forwarder.accept(wire));
    const admin = await openAdmin(options, core, log).catch((error: Error) => {
      listener.close();
      throw error;
    });
    const { address, port } = listener.local;
    log.info(`listening on ${hostPort(address, port)} for cluster ${options.cluster}`);
    return running({ options, log, core, listener, admin });
  } catch (error) {
    core.transport.close();
    throw error;
  }
}

/** What is in files: read first, so that a missing one is told before anything is touched. */
interface Told {
  readonly routeTo: RouteTo;
  readonly token: (() => Token) | undefined;
}

const readFiles = (options: AgentOptions, log: Log, vantage: Vantage): Told => ({
  routeTo: routesOf(options, log, vantage),
  token: options.tokenFile === undefined ? undefined : tokenFrom(options.tokenFile, log),
});

/** What does the work; listening and telling are around it. */
interface Core {
  readonly transport: Transport;
  readonly forwarder: Forwarder;
  readonly dialer: WatchedDialer;
  readonly token: (() => Token) | undefined;
  /** Looks whether something has changed. */
  readonly look: () => void;
}

function createCore(options: AgentOptions, { routeTo, token }: Told, log: Log): Core {
  const dialer = watchedDialer(routeTo);
  const report = createReport(log, dialer);
  const transport = createTransport({
    gateways: options.gateways,
    dialer: dialer.dial,
    protocol: options.transport,
    credentials: () => token?.().text,
    // Not at once: it may change while it is being made.
    changed: () => queueMicrotask(look),
  });
  const forwarder = new Forwarder({ transport, authority: options.authority, failed: oncePerReason(log) });
  const look = (): void => {
    const { state } = transport;
    report.look(state);
    if (state.ready) forwarder.retry();
  };
  return { transport, forwarder, dialer, token, look };
}

function openAdmin(
  { admin, cluster, authority }: AgentOptions,
  core: Core,
  log: Log,
): Promise<AdminServer | undefined> {
  if (admin === undefined) return Promise.resolve(undefined);
  const { transport, forwarder, dialer, token } = core;
  const subject: AdminSubject = {
    cluster,
    authority,
    forwarder,
    state: () => transport.state,
    tokenExpires: () => token?.().expires,
    fixFor: (address, problem) => fixOf(dialer.failureOf(address, problem)),
  };
  return serveAdmin(admin, adminRoutes(subject), { log });
}

const fixOf = (error: Error | undefined): string | undefined =>
  error instanceof CausewayError ? error.fix : undefined;

interface Opened {
  readonly options: AgentOptions;
  readonly log: Log;
  readonly core: Core;
  readonly listener: Listener;
  readonly admin: AdminServer | undefined;
}

function problemIn({ transport, dialer }: Core): ReturnType<RunningAgent['problem']> {
  const { state } = transport;
  if (isUsable(state)) return undefined;
  const gateway = state.gateways.find(({ problem }) => problem !== undefined);
  if (gateway?.problem === undefined) return { why: 'it is connecting to the gateway' };
  const fix = fixOf(dialer.failureOf(gateway.address, gateway.problem));
  return { why: gateway.problem, ...(fix === undefined ? {} : { fix }) };
}

const lookEveryMs = 1_000;

function running({ options, log, core, listener, admin }: Opened): RunningAgent {
  const looking = setInterval(core.look, lookEveryMs);
  const letGo = keepAddress(options.listen.host, { log });
  const end = async (graceMs: number): Promise<number> => {
    listener.close();
    letGo();
    const left = await core.forwarder.drain(graceMs);
    clearInterval(looking);
    core.transport.close();
    await admin?.close();
    return left;
  };
  let ending: Promise<number> | undefined;
  const stop = (graceMs = options.graceMs): Promise<number> => {
    if (ending !== undefined) core.forwarder.stopWaiting();
    ending ??= end(graceMs);
    return ending;
  };
  return {
    listening: listener.local,
    admin: admin?.address,
    state: () => core.transport.state,
    problem: () => problemIn(core),
    stop,
  };
}

// An agent as a program: until it is told to stop.

export async function runAgent(options: AgentOptions, log: Log = createLog()): Promise<number> {
  surviveClosedOutput();
  const agent = await startAgent(options, log);
  await signal();
  await drainAndStop(agent, options.graceMs, log);
  return exitCodes.ok;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

const signal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const name of signals) process.once(name, () => resolve());
  });

/** The first signal drains; a second one does not wait any longer. */
async function drainAndStop(agent: RunningAgent, graceMs: number, log: Log): Promise<void> {
  log.info(`stopping: no new connections; those that are open have ${Math.round(graceMs / 1000)} s to end`);
  const stopped = agent.stop(graceMs);
  void signal().then(() => agent.stop());
  const left = await stopped;
  if (left > 0) log.warn(`${left} connections were still open and have been reset`);
}
