// change-10k: how long it takes until a cluster that was added among 10 000 routes is reached by its name, and whether
// connections of others notice.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../row.ts';
import { goalPeer, median, ourName } from './figures.ts';
import { whileHolding } from './hold.ts';
import { cpuSeconds } from './process-tree.ts';
import { endSubject, ready, type Setting, type Subject } from './subject.ts';

export const changeRow = 'change-10k';
const routes = 10_000;
/** Each cluster has two names: its API server's and its konnectivity server's. */
const clusters = routes / 2;
const held = 200;
const goalMs = 100;
const routableTimeout = '60s';

/** A subject whose clusters can be changed while it runs. */
export interface Changeable extends Subject {
  /** Writes down so many clusters; the answer publishes them. */
  prepare(clusters: number): () => void;
}
export type StartChangeable = (setting: Setting, clusters: number) => Promise<Changeable>;

/** Name of one of many clusters that speaks plainly, as `names.raw` does for the first. */
export const rawNameOf = (cluster: number): string => `raw.c${cluster}.bench.example`;
export const apiNameOf = (cluster: number): string => `api.c${cluster}.bench.example`;

interface Change {
  readonly ms: readonly number[];
  readonly dropped: number;
  /** Processor time of one change, in milliseconds. */
  readonly cost: number;
}

export async function measureChange(
  starts: readonly StartChangeable[],
  setting: Setting,
  rounds: number,
  progress: (line: string) => void,
): Promise<Row> {
  const changes = new Map<string, Change>();
  for (const start of starts) {
    const subject = await start(setting, clusters);
    try {
      const change = await measureSubject(subject, setting, rounds);
      changes.set(subject.name, change);
      const each = change.ms.map((ms) => ms.toFixed(0)).join(', ');
      progress(`${changeRow}: ${subject.name} ${each} ms, ${change.dropped} connections dropped`);
    } finally {
      await endSubject(subject);
    }
  }
  return rowOfChanges(changes);
}

async function measureSubject(subject: Changeable, setting: Setting, rounds: number): Promise<Change> {
  await ready(subject, setting);
  const roots = subject.programs.map((program) => program.pid);
  const { result, lost } = await whileHolding(subject, setting, held, async () => {
    const ms: number[] = [];
    const before = cpuSeconds(roots);
    for (let round = 1; round <= rounds; round++) ms.push(await addOne(subject, setting, clusters + round));
    return { ms, cost: ((cpuSeconds(roots) - before) * 1000) / rounds };
  });
  return { ...result, dropped: lost };
}

async function addOne(subject: Changeable, { load }: Setting, cluster: number): Promise<number> {
  const name = rawNameOf(cluster);
  const publish = subject.prepare(cluster);
  const trying = load.run<{ since: number }>('routable', { address: subject.address, name, duration: routableTimeout });
  await sleep(200);
  const published = performance.timeOrigin + performance.now();
  publish();
  return (await trying).since - published;
}

function rowOfChanges(changes: ReadonlyMap<string, Change>): Row {
  const { ms = [Number.NaN], dropped = 0 } = changes.get(ourName) ?? {};
  const ours = median(ms);
  const peer = changes.get(goalPeer);
  return {
    name: changeRow,
    unit: 'ms',
    ours,
    peers: {
      ...(peer && { [goalPeer]: median(peer.ms), [`dropped by ${goalPeer}`]: peer.dropped }),
      'dropped by us': dropped,
    },
    ratio: peer === undefined || Number.isNaN(ours) ? null : ours / median(peer.ms),
    goal: `< ${goalMs}, 0 dropped`,
    met: ours < goalMs && dropped === 0,
    cost: { unit: 'ms per change', of: Object.fromEntries([...changes].map(([name, { cost }]) => [name, cost])) },
    rounds: Object.fromEntries([...changes].map(([name, change]) => [name, change.ms])),
  };
}
