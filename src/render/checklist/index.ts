// The setup checklist with everything filled in that the manifests and the plan already know; what is open comes first.
import type { Model } from '../../model/schema/index.ts';
import { type OpenDecision, openDecisions } from '../../plan/decisions.ts';
import type { Plan, Requirement } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { code, codeList, markdownText } from '../text/markdown.ts';
import { plural } from '../text/one-line.ts';
import { modelAnswers } from './from-model.ts';
import { planAnswers } from './from-plan.ts';
import { belongsTo, hasNoSection, sections } from './sections.ts';

const title = 'Setup checklist';

export const checklist: Artefact = {
  name: 'checklist',
  title,
  files: (plan, model) => [{ path: 'checklist.md', text: asMarkdown(plan, model) }],
};

interface Facts {
  readonly answers: ReadonlyMap<string, readonly string[]>;
  /** Rows that wait for a decision somewhere, whatever is known of them elsewhere. */
  readonly open: ReadonlySet<string>;
}

function asMarkdown(plan: Plan, model: Model): string {
  const decisions = openDecisions(model);
  const facts = { answers: answersOf(plan, model), open: new Set(decisions.map(({ row }) => row)) };
  const known = plan.requirements.filter((row) => isAnswered(row, facts)).length;
  const chapters = sections.map((section) => ({
    title: section.title,
    rows: plan.requirements.filter((row) => belongsTo(row.id, section)),
  }));
  const others = { title: 'Further', rows: plan.requirements.filter((row) => hasNoSection(row.id)) };
  const banner = bannerLines(plan, title).map(markdownText).join('\n');
  return [
    `# ${title}\n`,
    `${banner}\nA box is ticked where the manifests or the plan hold the answer; the rest is to be answered or checked on site.\n`,
    `${known} of ${plural(plan.requirements.length, 'row')} filled in.\n`,
    decisionSection(decisions),
    ...[...chapters, others]
      .filter(({ rows }) => rows.length > 0)
      .map((chapter) => `## ${chapter.title}\n\n${chapter.rows.map((row) => rowText(row, facts)).join('')}`),
  ].join('\n');
}

/** One line per question, however many documents leave it open. */
function decisionSection(decisions: readonly OpenDecision[]): string {
  if (decisions.length === 0) return '## Open decisions\n\nNone: every decision is taken.\n';
  const questions = Map.groupBy(decisions, ({ row, field }) => `${row} ${field}`);
  const lines = [...questions.values()].map((same) => {
    const { row, question, field } = same[0] as OpenDecision;
    const where = codeList(same.map(({ resource }) => resource));
    return `- [ ] **${markdownText(row)}** ${markdownText(question)} (${code(field)} of ${where})\n`;
  });
  return `## Open decisions\n\n${lines.join('')}`;
}

function answersOf(plan: Plan, model: Model): Map<string, string[]> {
  const answers = modelAnswers(model);
  for (const [row, texts] of planAnswers(plan)) answers.set(row, [...(answers.get(row) ?? []), ...texts]);
  return answers;
}

const isAnswered = ({ id }: Requirement, { answers, open }: Facts): boolean => answers.has(id) && !open.has(id);

function rowText(row: Requirement, facts: Facts): string {
  const box = isAnswered(row, facts) ? 'x' : ' ';
  const details = facts.answers.get(row.id) ?? row.targets.slice(0, maxTargets).map((target) => `check ${target}`);
  const head = `- [${box}] **${markdownText(row.id)}** ${markdownText(row.title)}\n`;
  return head + details.map((text) => `  - ${markdownText(text)}\n`).join('');
}

const maxTargets = 8;
