// The firewall matrix: what to ask the firewall team for, once for people and three times for programs.
import type { Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { columns } from '../text/columns.ts';
import { csv } from '../text/csv.ts';
import { code, codeList, markdownTable, markdownText } from '../text/markdown.ts';
import { plural } from '../text/one-line.ts';
import { type MatrixRow, matrixRows, portsText, whereOf, whereText } from './rows.ts';

const title = 'Firewall matrix';

export const firewall: Artefact = {
  name: 'firewall',
  title,
  files: (plan) => {
    const rows = matrixRows(plan);
    return [
      { path: 'firewall/matrix.txt', text: asColumns(rows) },
      { path: 'firewall/matrix.csv', text: asCsv(rows) },
      { path: 'firewall/matrix.md', text: asMarkdown(plan, rows) },
      { path: 'firewall/matrix.json', text: `${JSON.stringify({ flows: rows.map(asObject) }, null, 2)}\n` },
    ];
  },
};

const clusterCount = ({ flow }: MatrixRow): string =>
  flow.clusters.length === 0 ? 'platform' : plural(flow.clusters.length, 'cluster');

const asColumns = (rows: readonly MatrixRow[]): string =>
  columns(
    ['FROM', 'SOURCE', 'TO', 'DESTINATION', 'PROTOCOL', 'PORTS', 'ROW', 'FOR', 'REASON'],
    rows.map((row) => [
      row.flow.from,
      whereText(row.source),
      row.flow.to,
      whereText(row.destination),
      row.flow.protocol,
      portsText(row.flow),
      row.flow.requirement,
      clusterCount(row),
      row.flow.reason,
    ]),
  );

const asCsv = (rows: readonly MatrixRow[]): string =>
  csv(
    ['from', 'source', 'to', 'destination', 'protocol', 'ports', 'reason', 'requirement', 'clusters', 'cluster names'],
    rows.map(({ flow, source, destination }) => [
      flow.from,
      whereText(source),
      flow.to,
      whereText(destination),
      flow.protocol,
      portsText(flow),
      flow.reason,
      flow.requirement,
      flow.clusters.length,
      flow.clusters.join(' '),
    ]),
  );

/** More names than this make a table unreadable; all of them are in the JSON and CSV files. */
const shownClusters = 5;

function clusterNames({ flow }: MatrixRow): string {
  if (flow.clusters.length === 0) return 'platform';
  const more = flow.clusters.length - shownClusters;
  return codeList(flow.clusters.slice(0, shownClusters)) + (more > 0 ? ` and ${more} more` : '');
}

function asMarkdown(plan: Plan, rows: readonly MatrixRow[]): string {
  const [first, second] = bannerLines(plan, title);
  const table = markdownTable(
    ['From', 'Source', 'To', 'Destination', 'Protocol', 'Ports', 'Why', 'Row', 'Clusters'],
    rows.map((row) => [
      code(row.flow.from),
      whereOf(row.source).length > 0 ? codeList(whereOf(row.source)) : whereText(row.source),
      code(row.flow.to),
      whereOf(row.destination).length > 0 ? codeList(whereOf(row.destination)) : whereText(row.destination),
      row.flow.protocol,
      portsText(row.flow),
      markdownText(row.flow.reason),
      row.flow.requirement,
      clusterNames(row),
    ]),
  );
  return `# ${title}\n\n${markdownText(first ?? '')}\n${markdownText(second ?? '')}\nEvery flow is opened by its source; answers are allowed by the firewall's state.\n\n${table}`;
}

const asObject = ({ flow, source, destination }: MatrixRow): object => ({
  ...flow,
  source: { title: source.title, networks: source.networks, hosts: source.hosts, pending: source.pending },
  destination: {
    title: destination.title,
    networks: destination.networks,
    hosts: destination.hosts,
    pending: destination.pending,
  },
});
