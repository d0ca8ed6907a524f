// After a sudden end of ours our children are still there. Each has a mark in its environment, which is as old as the
// process itself: unlike a file about it, it can neither be missing nor be about another process of the same number.
import { hash } from 'node:crypto';
import path from 'node:path';
import type { ComponentId } from '../component.ts';
import { adoptChild, type Child } from './child.ts';
import { environmentOf, processes, readFacts } from './proc.ts';

const variable = 'CAUSEWAY_COMPONENT';

export interface Leftover {
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

/** Leaders of groups only: what they started themselves ends with them. */
export function findLeftovers(directory: string): Leftover[] {
  const prefix = `${variable}=${ownerOf(directory)} `;
  return processes().flatMap((pid) => {
    const facts = readFacts(pid);
    const mark = environmentOf(pid).find((entry) => entry.startsWith(prefix));
    if (mark === undefined || facts === undefined || facts.group !== pid) return [];
    const [specHash = '', key = ''] = mark.slice(prefix.length).split(' ');
    return [{ key, specHash, child: adoptChild(pid, facts.startTicks) }];
  });
}
