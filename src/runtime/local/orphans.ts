// Components of a supervisor that was killed still run: orphans, to be adopted or ended by the next one. Each has a mark in
// its environment, which is as old as the process itself: unlike a file about it, it can neither be missing nor be about
// another process of the same number.
import { hash } from 'node:crypto';
import path from 'node:path';
import type { ComponentId } from '../../control-plane/index.ts';
import { adoptChild, type Child } from './process.ts';
import { environmentOf, isAlive, type ProcessFacts, processes, readFacts } from './procfs.ts';

const variable = 'CAUSEWAY_COMPONENT';

export interface Orphan {
  /** cluster/shop/etcd */
  readonly key: string;
  /** Of the description that it was started by. */
  readonly specHash: string;
  readonly child: Child;
}

export const keyOf = ({ scope, name }: ComponentId): string => `${scope}/${name}`;
/** Two platforms of one user know theirs apart. */
const ownerOf = (directory: string): string => hash('sha256', path.resolve(directory)).slice(0, 16);

export const markOf = (directory: string, id: ComponentId, specHash: string): Record<string, string> => ({
  [variable]: `${ownerOf(directory)} ${specHash} ${keyOf(id)}`,
});
const prefixOf = (directory: string): string => `${variable}=${ownerOf(directory)} `;

interface Marked {
  readonly pid: number;
  readonly facts: ProcessFacts;
  readonly mark: string;
}

/** Ends all that is left of a component: also what it has handed its work over from, and what outlived it. */
export async function killMarked(directory: string, key: string): Promise<void> {
  const left = findMarked(prefixOf(directory)).filter((found) => isOf(key, found));
  for (const { pid, facts } of left) if (isAlive(pid, facts.startTicks)) kill(pid);
  await Promise.all(left.map(({ pid, facts }) => adoptChild(pid, facts.startTicks).ended));
}

/** Leaders of groups, oldest first: what they started themselves ends with them. */
export function findOrphans(directory: string): Orphan[] {
  const marked = findMarked(prefixOf(directory));
  const leaders = marked.filter(({ pid, facts }) => facts.group === pid);
  killLeaderless(marked, new Set(leaders.map(({ pid }) => pid)));
  return leaders.sort((a, b) => a.facts.startTicks - b.facts.startTicks).map(orphanOf);
}

/** The process of this number, if it is one of the component's. */
export function orphanAt(directory: string, key: string, pid: number): Orphan | undefined {
  const found = markedAt(pid, prefixOf(directory));
  return found && isOf(key, found) ? orphanOf(found) : undefined;
}

export function isMarked(directory: string, key: string, pid: number): boolean {
  const found = markedAt(pid, prefixOf(directory));
  return found !== undefined && isOf(key, found);
}

const isOf = (key: string, { mark }: Marked): boolean => mark.endsWith(` ${key}`);

function orphanOf({ pid, facts, mark }: Marked): Orphan {
  const [specHash = '', key = ''] = mark.split(' ');
  return { key, specHash, child: adoptChild(pid, facts.startTicks) };
}

const findMarked = (prefix: string): Marked[] => processes().flatMap((pid) => markedAt(pid, prefix) ?? []);

function markedAt(pid: number, prefix: string): Marked | undefined {
  const facts = readFacts(pid);
  const mark = environmentOf(pid).find((entry) => entry.startsWith(prefix));
  return mark === undefined || facts === undefined ? undefined : { pid, facts, mark: mark.slice(prefix.length) };
}

/** The component that started them has ended, and nobody was there to kill them with it. */
function killLeaderless(marked: readonly Marked[], leaders: ReadonlySet<number>): void {
  for (const { pid, facts } of marked) if (!leaders.has(facts.group) && isAlive(pid, facts.startTicks)) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
