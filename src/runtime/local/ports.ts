// Ports on loopback that nobody outside sees: chosen free once, and the same ones after every restart.
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { isFree } from '../../net/wire/index.ts';
import { createMutex } from '../../sys/mutex.ts';
import { privateDirectory, readPrivate, writePrivate } from '../../sys/private-files.ts';
import type { ClusterHome } from './home.ts';

/** Ports on loopback that nobody outside sees: chosen free once, and remembered. */
export interface InnerPorts {
  readonly etcdClient: number;
  readonly etcdPeer: number;
  readonly etcdMetrics: number;
  readonly apiServer: number;
  readonly controllerManager: number;
  readonly scheduler: number;
  readonly konnectivityAgents: number;
  readonly konnectivityAdmin: number;
  readonly konnectivityHealth: number;
}

const names = [
  'etcdClient',
  'etcdPeer',
  'etcdMetrics',
  'apiServer',
  'controllerManager',
  'scheduler',
  'konnectivityAgents',
  'konnectivityAdmin',
  'konnectivityHealth',
] as const satisfies (keyof InnerPorts)[];

/** Below node ports, and below what the system gives to outgoing connections. */
const [first, end] = [20_000, 30_000];

/** Each sees what the one before has written. */
const choosing = createMutex();

export const rememberPorts = (home: ClusterHome): Promise<InnerPorts> => choosing(() => remember(home));

async function remember(home: ClusterHome): Promise<InnerPorts> {
  const known = readPorts(home.root);
  if (names.every((name) => known[name] !== undefined)) return known as InnerPorts;
  const taken = portsOfSiblings(home.root);
  const ports: Partial<Record<keyof InnerPorts, number>> = { ...known };
  for (const name of names) ports[name] ??= await freePort(taken);
  privateDirectory(home.root);
  writePrivate(fileIn(home.root), `${JSON.stringify(ports, undefined, 2)}\n`);
  return ports as InnerPorts;
}

const fileIn = (root: string): string => path.join(root, 'ports.json');

function readPorts(root: string): Partial<InnerPorts> {
  try {
    return JSON.parse(readPrivate(fileIn(root)) ?? '{}') as Partial<InnerPorts>;
  } catch (error) {
    // A file that was damaged costs new ports, and nothing else.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Of clusters that are stopped at the moment, too. */
function portsOfSiblings(root: string): Set<number> {
  try {
    const siblings = readdirSync(path.dirname(root)).map((name) => path.join(path.dirname(root), name));
    return new Set(siblings.flatMap((sibling) => Object.values(readPorts(sibling))));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

async function freePort(taken: Set<number>): Promise<number> {
  const [start, count] = [randomInt(first, end), end - first];
  for (let step = 0; step < count; step += 1) {
    const port = first + ((start + step) % count);
    if (taken.has(port) || !(await isFree({ host: '127.0.0.1', port }))) continue;
    taken.add(port);
    return port;
  }
  throw new CausewayError(
    'CW-PORTS',
    `every port from ${first} to ${end - 1} of this machine is taken`,
    'delete clusters that nobody needs, or stop other programs that listen on these ports',
  );
}
