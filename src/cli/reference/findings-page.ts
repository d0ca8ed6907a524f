// Every finding code with why it matters and what to do.
import { refusals } from '../../gateway/index.ts';
import { type CodeInfo, planningCodes, readingCodes, runningCodes } from '../../model/index.ts';
import { code, markdownTable, markdownText } from '../../render/text/tables.ts';
import { page } from './page.ts';

export const findingsPage = (): string =>
  page('Findings', [
    'What `causeway validate` and a running platform can say. An error fails (exit code 3), a warning does not (exit code 4). `causeway explain CODE` shows the same text.',
    ...chapter(
      'Planning',
      'Manifests that are readable but would not work. These can be waived, with owner, reason and expiry.',
      planningCodes,
    ),
    ...chapter(
      'Reading',
      'Files and documents that cannot be read or are not valid. These cannot be waived.',
      readingCodes,
    ),
    ...chapter(
      'Running',
      'Changes that a platform which runs (`causeway up`) cannot follow. What runs stays as it is; these cannot be waived.',
      runningCodes,
    ),
  ]);

function chapter(title: string, about: string, codes: Readonly<Record<string, CodeInfo>>): string[] {
  const entries = Object.entries(codes).sort(([a], [b]) => (a < b ? -1 : 1));
  const overview = entries.map(([name, info]) => [
    `[${code(name)}](#${name.toLowerCase()})`,
    info.severity,
    markdownText(info.title),
  ]);
  return [
    `## ${title}`,
    about,
    markdownTable(['code', 'severity', 'rule'], overview),
    ...entries.map(([name, info]) => entry(name, info)),
  ];
}

function entry(name: string, info: CodeInfo): string {
  const rows = info.rows.map((row) => `[${row}](requirements.md#${row.toLowerCase()})`).join(', ');
  return [
    `### ${name}`,
    `**${markdownText(info.title)}** (${info.severity})`,
    markdownText(info.explanation),
    `Fix: ${markdownText(info.fix)}`,
    rows === '' ? '' : `Requirements: ${rows}`,
  ]
    .filter((line) => line !== '')
    .join('\n\n');
}

// Every reason why a gateway refuses a connection, as its log, metrics and answers name it.

export const refusalsPage = (): string =>
  page('Refusals', [
    'Why a gateway did not carry a connection: `refusal` in its log, `reason` in its metrics, `causeway-refusal` in the answer to an agent.',
    markdownTable(
      ['reason', 'what happened', 'what to do', 'answer to an agent'],
      Object.entries(refusals).map(([reason, { sentence, fix, status }]) => [
        code(reason),
        markdownText(sentence),
        markdownText(fix),
        String(status),
      ]),
    ),
  ]);
