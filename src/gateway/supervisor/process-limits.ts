// What the system allows and uses, where it tells (Linux).
import { readFileSync } from 'node:fs';
import { CausewayError } from '../../core/errors.ts';

/** Two per connection: the client's and the backend's. */
const filesPerConnection = 2;
/** A worker should be able to hold this many connections. */
const wantedConnections = 8_000;
/** What Node opens, snapshots, logs, the way to the supervisor; and names that are looked up, fewer where there is little. */
const filesOfNode = 64;
const mostForNames = 256;
/** Clients that have not said yet what they want, or read why they were refused. */
const otherClients = 1100;

export interface FileLimit {
  readonly files: number;
  readonly listeners: number;
}

/** A warning with its fix, or undefined when the limit is high enough. */
export function fileLimitProblem({ files, listeners }: FileLimit): CausewayError | undefined {
  const needed = filesOfNode + mostForNames + listeners + otherClients + wantedConnections * filesPerConnection;
  if (files >= needed) return undefined;
  const connections = Math.floor(filesForConnections({ files, listeners }) / filesPerConnection);
  return new CausewayError(
    'CW-GATEWAY-FILES',
    `a process may open ${files} files here: enough for about ${connections} connections per worker`,
    `allow ${needed}: "ulimit -n ${needed}" before the start, or LimitNOFILE=${needed} in the systemd unit`,
  );
}

/** What is left for clients and backends, so that the worker itself never lacks one. */
export const filesForConnections = ({ files, listeners }: FileLimit): number =>
  Math.max(0, files - filesOfNode - Math.min(mostForNames, Math.floor(files / 8)) - listeners);

export function openFileLimit(): number | undefined {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(read('/proc/self/limits') ?? '')?.[1];
  return soft === undefined || soft === 'unlimited' ? undefined : Number(soft);
}

/** Bytes that a process holds in memory; undefined where the system does not tell. */
export function residentMemory(pid: number | 'self'): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
