// The requirements catalogue: each row with what it asks for and where it is met.
import { catalogue, checkedRows, type Row } from '../../plan/catalogue/index.ts';
import { code, codeList, markdownTable, markdownText } from '../../render/text/markdown.ts';
import { findingsOf, howMet, inputsOf, unmetWords } from '../explain/row-text.ts';
import { page } from './page.ts';

/** What the letters of a row's id stand for. */
export const rowGroups: Readonly<Record<string, string>> = {
  DOC: 'documentation',
  INF: 'infrastructure',
  INS: 'installer',
  CFG: 'configuration repository',
  ACC: 'access of the installer',
  TOL: 'helper tools',
  LB: 'load balancing',
  L2: 'load balancing by ARP',
  BGP: 'load balancing by BGP',
  NET: 'networks of the nodes',
  PRT: 'ports',
  XPS: 'expose strategies',
  WRK: 'workers',
  API: 'API servers of clusters',
  KON: 'konnectivity',
  DNS: 'DNS',
  CRT: 'certificates',
  AUT: 'authentication',
  PRX: 'corporate proxy',
  EGR: 'egress, the allow-list',
  OFF: 'offline mode',
  SED: 'seed provisioning',
  STO: 'storage',
  ETC: 'etcd performance',
  MLA: 'monitoring, logging, alerting',
  INT: 'integration of a location: workers only (I) or with a seed of its own (II)',
  AZ: 'Azure',
  VS: 'vSphere',
  OS: 'OpenStack',
  AWS: 'AWS',
};

export const groupOf = (row: { readonly id: string }): string => row.id.slice(0, row.id.lastIndexOf('-'));

export const requirementsPage = (): string =>
  page('Requirements', [
    `What an installation needs, in ${catalogue.length} rows. The plan holds those that apply, with their targets and where they have to be checked from; flows, records and certificates name the row they come from. \`causeway explain ROW\` shows the same text.`,
    `An id is a group and a number: ${Object.entries(rowGroups)
      .map(([letters, name]) => `${code(letters)} ${name}`)
      .join('; ')}. Numbers are never reused.`,
    whoChecks(),
    markdownTable(
      ['row', 'requirement', 'met by', 'unmet'],
      catalogue.map((row) => [
        `[${row.id}](#${row.id.toLowerCase()})`,
        markdownText(row.title),
        howMet(row),
        unmetWords(row),
      ]),
    ),
    ...catalogue.map(section),
  ]);

function whoChecks(): string {
  const live = catalogue.filter(({ kinds }) => kinds.includes('live') || kinds.includes('provider'));
  const checked = live.filter(({ id }) => checkedRows.has(id)).length;
  const others = checked === 0 ? 'none of them' : `${checked} of them`;
  return `${live.length} rows are true only on site or at the provider; Causeway checks ${others} by itself. The rest is for people: the checklist of \`causeway render\` has what to look at.`;
}

function section(row: Row): string {
  const { fields, live } = inputsOf(row);
  const lines = [
    line('Fields', fields.map(fieldLink)),
    line('To be found on site', live.map(markdownText)),
    line(
      'In the plan',
      (row.promise?.plan ?? []).map((part) => `[${code(part)}](plan.md)`),
    ),
    line('Artefacts', [codeList(row.promise?.artefact ?? [])].filter(Boolean)),
    line(
      'Findings',
      findingsOf(row).map((finding) => `[${finding}](findings.md#${finding.toLowerCase()})`),
    ),
  ];
  return [`## ${row.id}`, markdownText(row.title), lines.join('')].filter((part) => part !== '').join('\n\n');
}

const line = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `- ${title}: ${items.join(', ')}\n`;

/** `Seed.spec.api.host` is explained on the page of its kind. */
function fieldLink(field: string): string {
  const [kind = ''] = field.split('.');
  return `[${code(field)}](${kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.md)`;
}
