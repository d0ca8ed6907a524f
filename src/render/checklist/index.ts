// The setup checklist with everything filled in that the manifests and the plan already know; what is open comes first.
import { groupOf, groups } from '../../plan/catalogue/index.ts';
import { mergedAnswers, type OpenDecision } from '../../plan/installation/index.ts';
import type { Plan, Requirement } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { proposedText } from '../proposed.ts';
import { plural } from '../text/one-line.ts';
import { code, codeList, markdownText } from '../text/tables.ts';
import { computedAnswers } from './computed.ts';
import { locationAnswers } from './from-locations.ts';
import { isWaiting, planAnswers } from './from-plan.ts';

const title = 'Setup checklist';

/** Rows that the catalogue does not have must not get lost. */
const further = 'Further';
const chapterTitles = [...new Set([...Object.values(groups).map(({ chapter }) => chapter), further])];

export const checklist: Artefact = {
  name: 'checklist',
  title,
  files: (plan) => [{ path: 'checklist.md', text: asMarkdown(plan) }],
};

interface Facts {
  readonly answers: ReadonlyMap<string, readonly string[]>;
  /** Rows that wait for a decision somewhere, whatever is known of them elsewhere. */
  readonly open: ReadonlySet<string>;
}

const intro =
  'A ticked box says that a value is written down, no more. What is filled in without a tick has to be checked on site; what is empty has to be answered.';

function asMarkdown(plan: Plan): string {
  const { decisions } = plan.installation;
  const facts = { answers: answersOf(plan), open: new Set(decisions.map(({ row }) => row)) };
  const chapters = Map.groupBy(plan.requirements, ({ id }) => groupOf(id)?.chapter ?? further);
  const banner = bannerLines(plan, title).map(markdownText).join('\n');
  return [
    `# ${title}\n`,
    `${banner}\n${intro}\n`,
    summary(plan.requirements, facts),
    decisionSection(decisions, proposedText(plan)),
    ...chapterTitles
      .map((name) => ({ name, rows: chapters.get(name) ?? [] }))
      .filter(({ rows }) => rows.length > 0)
      .map(({ name, rows }) => `## ${name}\n\n${rows.map((row) => rowText(row, facts)).join('')}`),
  ].join('\n');
}

function summary(rows: readonly Requirement[], facts: Facts): string {
  const filled = rows.filter((row) => isFilledIn(row, facts));
  const unchecked = filled.filter((row) => !isSettledByPaper(row)).length;
  return `${filled.length} of ${plural(rows.length, 'row')} filled in, ${unchecked} of them to be checked on site.\n`;
}

/** One line per question, however many documents leave it open. */
function decisionSection(decisions: readonly OpenDecision[], proposed: string | undefined): string {
  const questions = Map.groupBy(decisions, ({ row, field }) => `${row} ${field}`);
  const lines = [...questions.values()].map((same) => {
    const { row, question, field } = same[0] as OpenDecision;
    const where = codeList(same.map(({ resource }) => resource));
    return `- [ ] **${markdownText(row)}** ${markdownText(question)} (${code(field)} of ${where})\n`;
  });
  const lock =
    proposed === undefined ? [] : [`- [ ] ${markdownText(proposed)}; ${code('causeway plan --lock')} keeps them\n`];
  return `## Open decisions\n\n${[...lines, ...lock].join('') || 'None: every decision is taken.\n'}`;
}

/** Several sources may say the same of a row; it is read once. */
function answersOf(plan: Plan): Map<string, string[]> {
  const computed = mergedAnswers([computedAnswers(plan), locationAnswers(plan)]);
  const answers = new Map<string, string[]>();
  const documented = Object.entries(plan.installation.answers);
  for (const [row, texts] of [...documented, ...planAnswers(plan), ...computed]) {
    answers.set(row, [...new Set([...(answers.get(row) ?? []), ...texts])]);
  }
  return answers;
}

function isFilledIn({ id }: Requirement, { answers, open }: Facts): boolean {
  const texts = answers.get(id) ?? [];
  return texts.length > 0 && !open.has(id) && !texts.some(isWaiting);
}

/** What is only planned or attested is settled once it is written down; all else is true only on site. */
const isSettledByPaper = ({ kinds }: Requirement): boolean => !kinds.includes('live') && !kinds.includes('provider');

function rowText(row: Requirement, facts: Facts): string {
  const filled = isFilledIn(row, facts);
  const settled = filled && isSettledByPaper(row);
  const details = facts.answers.get(row.id) ?? row.targets.slice(0, maxTargets).map((target) => `check ${target}`);
  const status = filled && !settled ? ' *Filled in; to be checked on site:*' : '';
  const head = `- [${settled ? 'x' : ' '}] **${markdownText(row.id)}** ${markdownText(row.title)}${status}\n`;
  return head + details.map((text) => `  - ${markdownText(text)}\n`).join('');
}

const maxTargets = 8;
