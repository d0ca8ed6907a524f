// What a program and the processes it started cost, as the kernel counts it.
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
}

/** The process and everything below it. */
export function treeOf(root: number): number[] {
  return within(root, allStats()).map((stat) => stat.pid);
}

/** Processor time of whole trees in seconds, since they started. */
export function cpuSeconds(roots: readonly number[]): number {
  const stats = allStats();
  return sum(roots.flatMap((root) => within(root, stats)).map((stat) => stat.cpuSeconds));
}

/** Memory of whole trees in KiB; what several of them share is counted once. */
export function memoryKiB(roots: readonly number[]): number {
  return sum(roots.flatMap(treeOf).map(proportionalKiB));
}

function proportionalKiB(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
}

function within(root: number, stats: ReadonlyMap<number, Stat>): Stat[] {
  const own = stats.get(root);
  const children = [...stats.values()].filter((stat) => stat.parent === root);
  return [...(own === undefined ? [] : [own]), ...children.flatMap((child) => within(child.pid, stats))];
}

function allStats(): Map<number, Stat> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = pids.map((pid) => readStat(Number(pid))).filter((stat) => stat !== undefined);
  return new Map(stats.map((stat) => [stat.pid, stat]));
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, spaces and parentheses too.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { pid, parent, cpuSeconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / ticksPerSecond };
  } catch {
    return undefined;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
