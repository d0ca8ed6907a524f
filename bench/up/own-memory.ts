// What our own processes take, apart from those of Kubernetes: the platform with API and agents, and the gateway's workers.
import { readFileSync } from 'node:fs';
import { treeOf } from '../gateway/process-tree.ts';
import type { Row } from '../row.ts';
import type { Subject } from './subject.ts';

const mega = 1e6;
const goal = 250;

export async function ownMemory(subject: Subject): Promise<Row> {
  const components = await subject.components();
  const foreign = new Set(components.filter(({ scope }) => scope !== 'platform').flatMap(({ pid }) => pid ?? []));
  const root = components.find(({ scope, name }) => scope === 'platform' && name === 'causeway')?.pid ?? 0;
  const own = treeOf(root).filter((pid) => !foreign.has(pid) && isOurs(pid));
  // Pages that several of our processes share are counted once.
  const ours = sum(own.map((pid) => memoryOf(pid, 'Pss')));
  const each = own.map((pid, index) => [`process ${index + 1}`, memoryOf(pid, 'Rss')] as const);
  const peers = Object.fromEntries(each);
  return { name: 'own-memory', unit: 'MB', ours, peers, ratio: null, goal: `< ${goal}`, met: ours < goal };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Proxies of the demo are programs of others too. */
const isOurs = (pid: number): boolean => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'squid';

function memoryOf(pid: number, what: 'Pss' | 'Rss'): number {
  const found = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return (Number(found?.[1]) * 1024) / mega;
}
