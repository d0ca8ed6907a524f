// A row of the requirements catalogue in words.
import { type Code, codes, isWaivable } from '../../model/index.ts';
import { checkedRows, type Row } from '../../plan/catalogue/index.ts';
import { bold, facts } from '../views/table.ts';

type Kind = Row['kinds'][number];

const kindWords: Record<Kind, string> = {
  plan: 'computed in the plan',
  live: 'to be checked on site',
  provider: 'to be checked at the provider',
  document: 'documented or attested',
};
/** Of rows that a program checks. */
const checkedWords: Partial<Record<Kind, string>> = { live: 'checked live', provider: 'checked at the provider' };
const severityWords: Record<Row['severity'], string> = {
  block: 'blocks the installation',
  warn: 'is a risk',
  info: 'is good to know',
};

export const howMet = ({ id, kinds }: Row, checked = checkedRows): string =>
  kinds.map((kind) => (checked.has(id) ? checkedWords[kind] : undefined) ?? kindWords[kind]).join(', ');
export const unmetWords = (row: Row): string => severityWords[row.severity];

/** Findings that fire when the row is not met: those it names, and those that name it. */
export const findingsOf = (row: Row): string[] => {
  const naming = Object.entries(codes).filter(([, info]) => (info.rows as readonly string[]).includes(row.id));
  return [...new Set([...(row.promise?.finding ?? []), ...naming.map(([code]) => code)])].sort();
};

/** Fields of manifests that it asks for, and what is only known on site. */
export const inputsOf = (row: Row): { readonly fields: string[]; readonly live: string[] } => ({
  fields: row.inputs.filter((input) => typeof input === 'string'),
  live: row.inputs.flatMap((input) => (typeof input === 'string' ? [] : [input.live])),
});

export function rowText(row: Row): string {
  const { fields, live } = inputsOf(row);
  return `${bold(`${row.id}  ${row.title}`)}\n\n${facts([
    ['MET BY', howMet(row)],
    ['UNMET', unmetWords(row)],
    ['FIELDS', fields.join(', ')],
    ['ON SITE', live.join(', ')],
    ['IN THE PLAN', (row.promise?.plan ?? []).join(', ')],
    ['ARTEFACTS', (row.promise?.artefact ?? []).join(', ')],
    ['FINDINGS', findingsOf(row).join(', ')],
  ])}`;
}

export function codeText(code: Code): string {
  const info = codes[code];
  return `${bold(`${code}  ${info.title}`)}\n${info.explanation}\n\n${facts([
    ['SEVERITY', info.severity],
    ['FIX', info.fix],
    ['WAIVABLE', isWaivable(code) ? 'yes, in spec.waivers of the platform' : 'no'],
    ['REQUIREMENTS', info.rows.join(', ')],
  ])}`;
}
