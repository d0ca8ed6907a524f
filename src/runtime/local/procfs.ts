// What Linux tells about processes. A process may end at any moment, so each question may have no answer.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFacts {
  /** R, S, D, T (stopped), Z (ended, and nobody has asked how) … */
  readonly state: string;
  /** The process that leads its group. */
  readonly group: number;
  /** Since the machine started: with the number of the process it is its identity, because numbers come again. */
  readonly startTicks: number;
  readonly cpuSeconds: number;
}

/** What Linux counts time in for programs, on every kind of processor we run on. */
const ticksPerSecond = 100;

export function readFacts(pid: number, task = pid): ProcessFacts | undefined {
  const text = read(task === pid ? `/proc/${pid}/stat` : `/proc/${pid}/task/${task}/stat`);
  if (text === undefined) return undefined;
  // The name comes second and may have brackets and spaces; from "state" on, which is field 3, nothing has.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    state: fields[0] ?? '',
    group: field(5),
    startTicks: field(22),
    cpuSeconds: (field(14) + field(15)) / ticksPerSecond,
  };
}

/** It runs, and it is the one that started then. */
export function isAlive(pid: number, startTicks: number): boolean {
  const facts = readFacts(pid);
  return facts !== undefined && facts.startTicks === startTicks && facts.state !== 'Z' && facts.state !== 'X';
}

/** As `performance.now()` counts, which does not change when the clock is set. */
export function startTime(startTicks: number): number {
  const uptime = Number.parseFloat(read('/proc/uptime') ?? '0');
  return performance.now() - (uptime - startTicks / ticksPerSecond) * 1000;
}

export function memoryBytes(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** The name of a program, without its arguments: those may be secret. */
const commandOf = (pid: number): string | undefined => read(`/proc/${pid}/comm`)?.trim();

/** Only of processes of the same user; others do not show theirs. */
export const environmentOf = (pid: number): readonly string[] => read(`/proc/${pid}/environ`)?.split('\0') ?? [];

export const processes = (): number[] => entries('/proc').map(Number).filter(Number.isInteger);
export const tasksOf = (pid: number): number[] => entries(`/proc/${pid}/task`).map(Number);

export function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

// Who has a port. Linux tells which socket it is, and each process of ours which sockets it has.

const listening = '0A';

/** "process 4711 (nginx)"; undefined where it belongs to somebody whose processes we cannot see. */
export function portOwner(port: number): string | undefined {
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
