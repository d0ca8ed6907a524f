// What the system allows and uses, where it tells (Linux).
import { readFileSync } from 'node:fs';
import { CausewayError } from '../../core/errors.ts';

/** Two per connection: the client's and the backend's. */
const filesPerConnection = 2;
const filesOfNode = 40;
/** A worker should be able to hold this many connections. */
const wantedConnections = 8_000;

export interface FileLimit {
  readonly files: number;
  readonly listeners: number;
}

/** A warning with its fix, or undefined when the limit is high enough. */
export function fileLimitProblem({ files, listeners }: FileLimit): CausewayError | undefined {
  const needed = filesOfNode + listeners + wantedConnections * filesPerConnection;
  if (files >= needed) return undefined;
  const connections = Math.max(0, Math.floor((files - filesOfNode - listeners) / filesPerConnection));
  return new CausewayError(
    'CW-GATEWAY-FILES',
    `a process may open ${files} files here: enough for about ${connections} connections per worker`,
    `allow ${needed}: "ulimit -n ${needed}" before the start, or LimitNOFILE=${needed} in the systemd unit`,
  );
}

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
