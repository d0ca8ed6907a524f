// What is opened, once: flows that need the same opening for several reasons are one line.
import { rowById } from '../../plan/catalogue/index.ts';
import type { Flow, Plan } from '../../plan/schema/index.ts';
import { plural } from '../text/one-line.ts';
import { type MatrixRow, matrixRows, portsText } from './rows.ts';

export interface MatrixLine extends Pick<MatrixRow, 'source' | 'destination'> {
  readonly from: string;
  readonly to: string;
  readonly protocol: Flow['protocol'];
  readonly ports: Flow['ports'];
  readonly requirements: readonly string[];
  readonly reasons: readonly string[];
  /** Clusters that need it, sorted. */
  readonly clusters: readonly string[];
  /** The platform itself needs it. */
  readonly platform: boolean;
}

export function matrixLines(plan: Plan): MatrixLine[] {
  const same = Map.groupBy(
    matrixRows(plan),
    ({ flow }) => `${flow.from} ${flow.to} ${flow.protocol} ${portsText(flow)}`,
  );
  return [...same.values()].map(lineOf);
}

function lineOf(rows: readonly MatrixRow[]): MatrixLine {
  const { flow, source, destination } = rows[0] as MatrixRow;
  const { from, to, protocol, ports } = flow;
  const all = <Item>(pick: (flow: Flow) => Item): Item[] => [...new Set(rows.map((row) => pick(row.flow)))];
  const lists = all(({ clusters }) => clusters);
  return {
    ...{ from, to, source, destination, protocol, ports },
    requirements: all(({ requirement }) => requirement),
    reasons: to === 'internet' ? [allowListHint] : all(({ reason }) => reason),
    clusters: lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())].sort(),
    platform: lists.some((clusters) => clusters.length === 0),
  };
}

/** A port to the whole Internet is not what is meant, and the hosts do not fit a cell. */
const allowListHint = 'Only to the hosts of the allow-list: egress/allow-list.csv names them per source and row.';

/** What exposes clusters is asked for before they exist only because some are planned. */
export const platformText = ({ requirements }: Pick<MatrixLine, 'requirements'>): string =>
  requirements.every((row) => rowById.get(row)?.exposes) ? 'planned clusters' : 'platform';

export const needText = (line: MatrixLine): string =>
  [
    ...(line.platform ? [platformText(line)] : []),
    ...(line.clusters.length > 0 ? [plural(line.clusters.length, 'cluster')] : []),
  ].join(', ');
