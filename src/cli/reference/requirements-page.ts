// The requirements catalogue: each row with what it asks for and where it is met.
import { catalogue, checkedRows, groups, type Row } from '../../plan/catalogue/index.ts';
import { code, codeList, markdownTable, markdownText } from '../../render/text/tables.ts';
import { findingsOf, howMet, inputsOf, unmetWords } from '../explain/row-text.ts';
import { page } from './page.ts';

export const requirementsPage = (): string =>
  page('Requirements', [
    `What an installation needs, in ${catalogue.length} rows. The plan holds those that apply, with their targets and where they have to be checked from; flows, records and certificates name the row they come from. \`causeway explain ROW\` shows the same text.`,
    `An id is a group and a number: ${Object.values(groups)
      .map(({ letters, title }) => `${code(letters)} ${title}`)
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
