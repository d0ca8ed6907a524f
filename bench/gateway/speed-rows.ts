// Rows that one client fills by running for some seconds against a subject.
import type { LoadResult } from './load.ts';
import { names } from './subject.ts';

export type Group = 'sni' | 'tunnel' | 'tunnel-tls';

export interface SpeedRow {
  readonly name: string;
  readonly group: Group;
  readonly unit: string;
  readonly command: string;
  readonly options: Readonly<Record<string, string | number>>;
  /** The figure of the row. */
  readonly figure: (result: LoadResult) => number;
  readonly cost: { readonly unit: string; readonly factor: number };
  readonly goal: number;
  /** Latency is told as what comes on top of the wire's, and less is better. */
  readonly added?: boolean;
}

const mebibyte = 2 ** 20;
const perSecond = ({ done, seconds }: LoadResult): number => done / seconds;
const gigabits = (result: LoadResult): number => (perSecond(result) * 8) / 1e9;
const microseconds = 1e6;

type Shape = Omit<SpeedRow, 'name' | 'group' | 'goal'>;
const requests: Shape = {
  unit: 'requests/s',
  command: 'requests',
  options: { name: names.api, connections: 64 },
  figure: perSecond,
  cost: { unit: 'µs per request', factor: microseconds },
};
const connections: Shape = {
  unit: 'connections/s',
  command: 'connections',
  options: { name: names.api, connections: 32 },
  figure: perSecond,
  cost: { unit: 'µs per connection', factor: microseconds },
};
const bulk = (streams: number): Shape => ({
  unit: 'Gbit/s',
  command: 'bulk',
  options: { name: names.raw, connections: streams, warmup: '300ms' },
  figure: gigabits,
  cost: { unit: 'µs per MiB', factor: microseconds * mebibyte },
});
const latency: Shape = {
  unit: 'µs added',
  command: 'paced',
  // About an eighth of what Envoy can do on two cores that the load shares: busy, but never waiting in line.
  options: { name: names.api, connections: 64, rate: 3000 },
  figure: ({ p99 }) => (p99 ?? Number.NaN) * microseconds,
  cost: { unit: 'µs per request', factor: microseconds },
  added: true,
};

const tunnelRows = (group: Group, suffix: string, bulkGoal: number): SpeedRow[] => [
  { ...requests, name: `tunnel-requests${suffix}`, group, goal: 1 },
  { ...connections, name: `tunnel-connections${suffix}`, group, goal: 1 },
  { ...bulk(1), name: `tunnel-bulk-1${suffix}`, group, goal: bulkGoal },
  { ...bulk(4), name: `tunnel-bulk-4${suffix}`, group, goal: bulkGoal },
];

export const speedRows: readonly SpeedRow[] = [
  { ...requests, name: 'sni-requests', group: 'sni', goal: 1 },
  { ...connections, name: 'sni-connections', group: 'sni', goal: 1 },
  { ...bulk(1), name: 'sni-bulk-1', group: 'sni', goal: 0.8 },
  { ...bulk(4), name: 'sni-bulk-4', group: 'sni', goal: 0.8 },
  { ...latency, name: 'sni-p99', group: 'sni', goal: 1 },
  ...tunnelRows('tunnel', '', 1),
  ...tunnelRows('tunnel-tls', '-tls', 0.8),
];
