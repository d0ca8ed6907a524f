// The setup checklist with everything filled in that the manifests and the plan already know; what is open comes first.
import type { Model } from '../../model/schema/index.ts';
import { openDecisions } from '../../plan/decisions.ts';
import type { Plan, Requirement } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { code, markdownText } from '../text/markdown.ts';
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

function asMarkdown(plan: Plan, model: Model): string {
  const answers = answersOf(plan, model);
  const known = plan.requirements.filter((row) => answers.has(row.id)).length;
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
    decisionSection(model),
    ...[...chapters, others]
      .filter(({ rows }) => rows.length > 0)
      .map((chapter) => `## ${chapter.title}\n\n${chapter.rows.map((row) => rowText(row, answers)).join('')}`),
  ].join('\n');
}

function decisionSection(model: Model): string {
  const open = openDecisions(model);
  if (open.length === 0) return '## Open decisions\n\nNone: every decision is taken.\n';
  const lines = open.map(
    ({ row, question, field, resource }) =>
      `- [ ] **${markdownText(row)}** ${markdownText(question)} (${code(field)} of ${code(resource)})\n`,
  );
  return `## Open decisions\n\n${lines.join('')}`;
}

function answersOf(plan: Plan, model: Model): Map<string, string[]> {
  const answers = modelAnswers(model);
  for (const [row, texts] of planAnswers(plan)) answers.set(row, [...(answers.get(row) ?? []), ...texts]);
  return answers;
}

function rowText({ id, title: name, targets }: Requirement, answers: ReadonlyMap<string, readonly string[]>): string {
  const known = answers.get(id);
  const head = `- [${known === undefined ? ' ' : 'x'}] **${markdownText(id)}** ${markdownText(name)}\n`;
  const details = known ?? targets.slice(0, maxTargets).map((target) => `check ${target}`);
  return head + details.map((text) => `  - ${markdownText(text)}\n`).join('');
}

const maxTargets = 8;
