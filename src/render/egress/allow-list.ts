// The allow-list: which hosts must be reachable from where, what they redirect to, and what may be closed again.
import { isOfSomeDatacenter } from '../../plan/index.ts';
import type { EgressEntry, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { commentLines, plural } from '../text/one-line.ts';
import { code, codeList, csv, markdownTable, markdownText } from '../text/tables.ts';
import { retiredEntries } from './retired.ts';

const title = 'Allow-list';

export const allowList: Artefact = {
  name: 'allow-list',
  title,
  files: (plan) => [
    { path: 'egress/allow-list.txt', text: asHosts(plan) },
    { path: 'egress/allow-list.csv', text: asCsv(plan) },
    { path: 'egress/allow-list.md', text: asMarkdown(plan) },
  ],
};

const isActive = (entry: EgressEntry): boolean => entry.status === 'active';

/** One host per line, as most proxies and firewalls import it. */
function asHosts(plan: Plan): string {
  const hosts = new Set(plan.egress.entries.filter(isActive).map((entry) => entry.host));
  return `${[...commentLines('#', bannerLines(plan, title)), ...[...hosts].sort()].join('\n')}\n`;
}

const header = ['host', 'ports', 'status', 'component', 'from', 'paths', 'images', 'redirect of', 'replaced by'];

const asCsv = (plan: Plan): string =>
  csv(
    [...header, 'reason', 'requirement', 'clusters', 'cluster names'],
    plan.egress.entries.map((entry) => [
      entry.host,
      entry.ports.join(' '),
      entry.status,
      entry.component,
      entry.from.join(' '),
      entry.paths.join(' '),
      entry.images.join(' '),
      entry.redirectOf ?? '',
      entry.replacedBy.join(' '),
      entry.reason,
      entry.requirement,
      entry.clusters.length,
      entry.clusters.join(' '),
    ]),
  );

function asMarkdown(plan: Plan): string {
  const active = plan.egress.entries.filter(isActive);
  const { closable, stillOpen } = retiredEntries(plan);
  const sections = [
    section(
      'Hosts to open',
      'What components ask for directly.',
      active.filter((e) => e.redirectOf === undefined),
    ),
    section(
      'Redirects',
      'Hosts that the ones above send a client to.',
      active.filter((e) => e.redirectOf !== undefined),
    ),
    retired('May be closed', 'Named by older lists; nothing asks for these hosts any more.', closable),
    retired('Not used any more', 'What older lists want from hosts that stay open for something else.', stillOpen),
  ];
  const banner = bannerLines(plan, title).map(markdownText).join('\n');
  return [`# ${title}\n`, `${banner}\n`, ...sections.filter((text) => text !== '')].join('\n');
}

function section(heading: string, intro: string, entries: readonly EgressEntry[]): string {
  if (entries.length === 0) return '';
  const rows = entries.map((entry) => [
    code(entry.host),
    entry.ports.join(', '),
    markdownText(entry.component),
    codeList(entry.from),
    what(entry),
    markdownText(entry.reason),
    entry.requirement,
    neededBy(entry),
  ]);
  const table = markdownTable(['Host', 'Ports', 'Component', 'From', 'What', 'Why', 'Row', 'For'], rows);
  return `## ${heading}\n\n${intro}\n\n${table}`;
}

function what(entry: EgressEntry): string {
  const redirect = entry.redirectOf === undefined ? [] : [`redirect of ${code(entry.redirectOf)}`];
  return [...redirect, ...[...entry.paths, ...entry.images].map(code)].join(', ');
}

function retired(heading: string, intro: string, entries: readonly EgressEntry[]): string {
  if (entries.length === 0) return '';
  const rows = entries.map((entry) => [
    code(entry.host),
    codeList([...entry.paths, ...entry.images]),
    codeList(entry.replacedBy),
    markdownText(entry.reason),
    entry.requirement,
  ]);
  const table = markdownTable(['Host', 'What', 'Replaced by', 'Why', 'Row'], rows);
  return `## ${heading}\n\n${intro}\n\n${table}`;
}

/** Who would miss it: a row that management nodes use as well does not go with the cluster. */
function neededBy({ clusters, from }: EgressEntry): string {
  if (clusters.length === 0) return 'platform';
  const alsoPlatform = from.some((place) => !isOfSomeDatacenter(place));
  return `${alsoPlatform ? 'platform and ' : ''}${plural(clusters.length, 'cluster')}`;
}
