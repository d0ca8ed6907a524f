import { CausewayError, exitCodes } from '../../core/errors.ts';
import { load } from '../../model/load/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { diffPlans, type TeamDiff } from '../../render/diff/index.ts';
import { loadRevision } from '../diff/revision.ts';
import { markdownDiff, textDiff } from '../diff/text.ts';
import { printFindings, review } from '../pipeline.ts';

interface Options {
  readonly dir?: string;
  readonly output: 'text' | 'json' | 'md';
}

export async function runDiff(a: string, b: string, options: Options): Promise<number> {
  const [before, after] = [await planOf(a, options.dir), await planOf(b, options.dir)];
  process.stdout.write(shown(diffPlans(before, after), options.output));
  return exitCodes.ok;
}

const shown = (teams: readonly TeamDiff[], output: Options['output']): string => {
  if (output === 'json') return `${JSON.stringify({ teams }, null, 2)}\n`;
  return output === 'md' ? markdownDiff(teams) : textDiff(teams);
};

async function planOf(source: string, dir: string | undefined): Promise<Plan> {
  const loaded = (await loadRevision(source, dir)) ?? (await load(source));
  const reviewed = review(loaded);
  if (reviewed.planned !== undefined) return reviewed.planned.plan;
  printFindings(reviewed, process.stderr);
  throw new CausewayError(
    'CW-DIFF-UNREADABLE',
    `${source} cannot be planned`,
    'mend the findings above',
    exitCodes.findings,
  );
}
