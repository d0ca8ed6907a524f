// The firewall matrix: what to ask the firewall team for, once for people and three times for programs.
import type { Place, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { proposedNotes } from '../proposed.ts';
import { commentLines } from '../text/one-line.ts';
import { code, codeList, columns, csv, markdownTable, markdownText } from '../text/tables.ts';
import { type MatrixLine, matrixLines, needText, platformText } from './lines.ts';
import { type MatrixRow, matrixRows, portsText, whereOf, whereText } from './rows.ts';

const title = 'Firewall matrix';

export const firewall: Artefact = {
  name: 'firewall',
  title,
  files: (plan) => {
    const lines = matrixLines(plan);
    // For programs: the flows as they are planned, each with the one row that asks for it.
    const flows = matrixRows(plan).map(asObject);
    return [
      { path: 'firewall/matrix.txt', text: asColumns(plan, lines) },
      { path: 'firewall/matrix.csv', text: asCsv(lines) },
      { path: 'firewall/matrix.md', text: asMarkdown(plan, lines) },
      { path: 'firewall/matrix.json', text: `${JSON.stringify({ flows }, null, 2)}\n` },
    ];
  },
};

const rowsText = ({ requirements }: MatrixLine): string => requirements.join(' ');
const reasonsText = ({ reasons }: MatrixLine): string => reasons.join(' ');

/** From whom to whom, and by which ports. */
const flowCells = (line: MatrixLine): string[] => [
  line.from,
  whereText(line.source),
  line.to,
  whereText(line.destination),
  line.protocol,
  portsText(line),
];

function asColumns(plan: Plan, lines: readonly MatrixLine[]): string {
  const notes = commentLines('#', proposedNotes(plan)).map((note) => `${note}\n`);
  const table = columns(
    ['FROM', 'SOURCE', 'TO', 'DESTINATION', 'PROTOCOL', 'PORTS', 'ROWS', 'FOR', 'REASON'],
    lines.map((line) => [...flowCells(line), rowsText(line), needText(line), reasonsText(line)]),
  );
  return [...notes, table].join('');
}

const asCsv = (lines: readonly MatrixLine[]): string =>
  csv(
    ['from', 'source', 'to', 'destination', 'protocol', 'ports', 'reason', 'requirement', 'clusters', 'cluster names'],
    lines.map((line) => [
      ...flowCells(line),
      reasonsText(line),
      rowsText(line),
      line.clusters.length,
      line.clusters.join(' '),
    ]),
  );

/** More names than this make a table unreadable; all of them are in the JSON and CSV files. */
const shownClusters = 5;

function clusterNames(line: MatrixLine): string {
  const { clusters, platform } = line;
  const more = clusters.length - shownClusters;
  const names = codeList(clusters.slice(0, shownClusters)) + (more > 0 ? ` and ${more} more` : '');
  return [platform ? platformText(line) : '', names].filter((text) => text !== '').join(', ');
}

const placeCell = (place: Place): string => (whereOf(place).length > 0 ? codeList(whereOf(place)) : whereText(place));

function asMarkdown(plan: Plan, lines: readonly MatrixLine[]): string {
  const notes = [
    ...bannerLines(plan, title),
    'Every flow is opened by its source; answers are allowed by the firewall’s state.',
    ...proposedNotes(plan),
  ];
  const table = markdownTable(
    ['From', 'Source', 'To', 'Destination', 'Protocol', 'Ports', 'Why', 'Rows', 'Clusters'],
    lines.map((line) => [
      code(line.from),
      placeCell(line.source),
      code(line.to),
      placeCell(line.destination),
      line.protocol,
      portsText(line),
      markdownText(reasonsText(line)),
      rowsText(line),
      clusterNames(line),
    ]),
  );
  return `# ${title}\n\n${notes.map(markdownText).join('\n')}\n\n${table}`;
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
