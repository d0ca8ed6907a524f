import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { hostProblem } from '../../core/names.ts';
import { suggestion } from '../../core/suggest.ts';
import { writeAtomically } from '../../sys/write-atomically.ts';
import { type Answers, filesOf, proposedAnswers, templateNames } from '../init/templates.ts';
import { say } from '../started-as.ts';

interface Options {
  readonly template?: string;
  readonly domain?: string;
  readonly name?: string;
  readonly force?: boolean;
}

export async function runInit(dir: string, options: Options): Promise<number> {
  const { template, answers } = await choose(options);
  checkAnswers(answers);
  const files = filesOf(template, answers).map((file) => ({ ...file, path: join(dir, file.path) }));
  if (!options.force) refuseExisting(files.map((file) => file.path));
  for (const file of files) writeAtomically(file.path, file.text);
  say(
    `${files.map((file) => `wrote ${file.path}`).join('\n')}\n\nnext: causeway validate ${dir} && causeway plan ${dir}\n`,
  );
  return 0;
}

/** Questions only for a person, and only for what the flags leave open. */
async function choose(options: Options): Promise<{ template: string; answers: Answers }> {
  const given = {
    domain: options.domain ?? proposedAnswers.domain,
    name: options.name ?? proposedAnswers.name,
  };
  if (options.template !== undefined) return { template: known(options.template), answers: given };
  if (!process.stdin.isTTY) {
    throw new CausewayError(
      'CW-CLI-TEMPLATE',
      'no template was chosen, and there is no terminal to ask at',
      `add --template with one of ${templateNames().join(', ')}`,
    );
  }
  const { askAnswers, askTemplate } = await import('../init/ask.ts');
  const template = await askTemplate(templateNames());
  return { template, answers: await askAnswers(given) };
}

function known(template: string): string {
  const names = templateNames();
  if (names.includes(template)) return template;
  throw new CausewayError(
    'CW-CLI-TEMPLATE',
    `there is no template "${template.slice(0, 80)}"`,
    suggestion(template, names),
  );
}

function checkAnswers({ domain, name }: Answers): void {
  const problem = hostProblem(domain);
  if (problem !== undefined)
    throw new CausewayError(
      'CW-CLI-DOMAIN',
      `the domain "${domain.slice(0, 80)}" ${problem}`,
      'give --domain a name such as platform.example.com',
    );
  if (!/^[a-z0-9]([-a-z0-9]{0,53}[a-z0-9])?$/.test(name)) {
    throw new CausewayError(
      'CW-CLI-NAME',
      `"${name.slice(0, 80)}" cannot be a name`,
      'use up to 55 lower-case letters, digits and inner hyphens',
    );
  }
}

function refuseExisting(paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length === 0) return;
  throw new CausewayError(
    'CW-CLI-EXISTS',
    `${existing.slice(0, 3).join(', ')}${existing.length > 3 ? ` and ${existing.length - 3} more` : ''} would be replaced`,
    'choose an empty directory, or add --force',
  );
}
