// Who has a port. Linux tells which socket it is, and each process of ours which sockets it has.
import { readFileSync, readlinkSync } from 'node:fs';
import { commandOf, entries, processes } from './proc.ts';

const listening = '0A';

/** "process 4711 (nginx)"; undefined where it belongs to somebody whose processes we cannot see. */
export function holderOf(port: number): string | undefined {
  const sockets = socketsOn(port);
  if (sockets.size === 0) return undefined;
  const pid = processes().find((candidate) => hasOneOf(candidate, sockets));
  return pid === undefined ? undefined : `process ${pid} (${commandOf(pid) ?? 'unknown'})`;
}

function socketsOn(port: number): Set<string> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    linesOf(file)
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[1]?.endsWith(wanted) && columns[3] === listening)
      .map((columns) => `socket:[${columns[9]}]`),
  );
  return new Set(inodes);
}

const hasOneOf = (pid: number, sockets: ReadonlySet<string>): boolean =>
  entries(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)));

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(1);
  } catch {
    return [];
  }
}
