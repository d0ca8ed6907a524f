// The address that the agent listens on. Pods reach the API server at an address that exists on every node and nowhere
// else; where it is missing it goes on the loopback interface.
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { CausewayError } from '../core/errors.ts';
import { type HostPort, hostPort } from '../core/host-port.ts';
import { type Listener, listen, type Wire } from '../net/wire/index.ts';
import type { Log } from '../sys/log.ts';
import { addressArguments } from './address-arguments.ts';

/** Runs a program; rejects with what it said. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<unknown>;

const run: RunProgram = (program, args) =>
  promisify(execFile)(program, [...args], {
    timeout: 5_000,
    env: { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` },
  });

export interface AddressOptions {
  readonly log: Log;
  readonly run?: RunProgram;
  readonly present?: (address: string) => boolean;
}

/** How often we look whether somebody has taken the address away, as a network manager may when it restarts. */
export const lookEveryMs = 10_000;

/** Makes sure that the address is on this machine, or says what to run. */
export async function ensureAddress(address: string, options: AddressOptions): Promise<void> {
  const { present = isPresent, log } = options;
  if (present(address)) return;
  await addAddress(address, options.run ?? run);
  log.info(
    `added ${address} to the loopback interface; it stays there when the agent ends, so that pods are refused at once instead of being sent elsewhere`,
  );
}

/** Looks every ten seconds, and puts the address back. What it returns ends it. */
export function keepAddress(address: string, options: AddressOptions & { readonly everyMs?: number }): () => void {
  let complaint = '';
  const look = async (): Promise<void> => {
    try {
      await ensureAddress(address, options);
      complaint = '';
    } catch (error) {
      const { message, fix } = error as CausewayError;
      if (message !== complaint) options.log.error(message, { fix });
      complaint = message;
    }
  };
  const timer = setInterval(look, options.everyMs ?? lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** All of 127.0.0.0/8 and the wildcards can be listened on without being listed. */
export function isPresent(address: string): boolean {
  if (/^127\./.test(address) || ['0.0.0.0', '::', '::1'].includes(address)) return true;
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return own.some((one) => one.address === address);
}

async function addAddress(address: string, runProgram: RunProgram): Promise<void> {
  try {
    await runProgram('ip', addressArguments(address));
  } catch (error) {
    const said = `${(error as { stderr?: string }).stderr ?? ''}`.trim();
    // Somebody was faster, or the interface is down and does not show what it has.
    if (/File exists|already assigned/i.test(said)) return;
    throw notAdded(address, said, error as NodeJS.ErrnoException);
  }
}

function notAdded(address: string, said: string, error: NodeJS.ErrnoException): CausewayError {
  const command = `sudo ip ${addressArguments(address).join(' ')}`;
  const why = error.code === 'ENOENT' ? 'there is no "ip" program' : said || error.message;
  return new CausewayError(
    'CW-AGENT-ADDRESS',
    `${address} is not an address of this machine, and adding it failed: ${why}`,
    `run "${command}", give the agent CAP_NET_ADMIN, or listen on an address that is there: --listen 127.0.0.1:6443`,
  );
}

// Listens on the agent's own address, and on nobody else's.

/** Our sockets share their port with others of ours, so a second agent by mistake would get half of the connections. */
export async function listenExclusively(where: HostPort, onWire: (wire: Wire) => void): Promise<Listener> {
  try {
    if (where.port !== 0) await isFree(where);
    return await listen(where.host, where.port, onWire);
  } catch (error) {
    throw explained(where, error as NodeJS.ErrnoException);
  }
}

const isFree = ({ host, port }: HostPort): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });

function explained({ host, port }: HostPort, error: NodeJS.ErrnoException): Error {
  const [message, fix] = (reasons[error.code ?? ''] ?? unknown)(hostPort(host, port), error);
  return new CausewayError('CW-AGENT-LISTEN', message, fix);
}

type Explain = (where: string, error: NodeJS.ErrnoException) => [string, string];
const unknown: Explain = (where, { code, message }) => [
  `cannot listen on ${where} (${code ?? message})`,
  'give another address with --listen ADDRESS:PORT',
];
const reasons: Readonly<Record<string, Explain>> = {
  EADDRINUSE: (where) => [
    `another program listens on ${where}`,
    'is an agent running already? Stop it, or give another address with --listen',
  ],
  EACCES: (where) => [`this user may not listen on ${where}`, 'use a port from 1024 on, or give CAP_NET_BIND_SERVICE'],
  EADDRNOTAVAIL: (where) => [`${where} is not an address of this machine`, 'give one with --listen ADDRESS:PORT'],
};
