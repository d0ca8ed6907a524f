import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { lockFile } from '../../model/index.ts';
import { formatLock } from '../../model/load/index.ts';
import { lockOf } from '../../plan/addresses/index.ts';
import { planDocument } from '../../plan/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { yamlDocuments } from '../../render/text/yaml.ts';
import { writeAtomically } from '../../sys/write-atomically.ts';
import { fails, printFindings, reviewPath } from '../pipeline.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { clusterTable, flowTable, placeTable, select, summary } from '../views/plan.ts';

interface Options {
  readonly output: 'table' | 'wide' | 'json' | 'yaml';
  readonly by: 'flow' | 'cluster' | 'place';
  readonly from?: string;
  readonly to?: string;
  readonly lock?: boolean;
}

export async function runPlan(dir: string | undefined, options: Options): Promise<number> {
  const path = platformDirectory(dir);
  const reviewed = await reviewPath(path);
  const { planned, findings } = reviewed;
  const code = printFindings(reviewed, process.stderr);
  if (planned === undefined) return code;
  if (options.lock) writeLock(path, planned.plan, fails(findings));
  // A plan of wrong manifests would be taken for an answer.
  if (fails(findings)) return code;
  process.stdout.write(shown(planned.plan, options));
  return code;
}

function shown(plan: Plan, options: Options): string {
  const selected = { ...planDocument(plan), flows: select(plan, options.from, options.to) };
  if (options.output === 'json') return `${JSON.stringify(selected, null, 2)}\n`;
  if (options.output === 'yaml') return yamlDocuments([selected]);
  const wide = options.output === 'wide';
  if (options.by === 'cluster') return clusterTable(plan, wide);
  if (options.by === 'place') return placeTable(plan);
  const filtered = options.from !== undefined || options.to !== undefined;
  return `${filtered ? '' : `${summary(plan)}\n`}${flowTable(plan, selected.flows, wide)}`;
}

/** Whatever was proposed becomes fixed, so nothing is locked from manifests that are known to be wrong. */
function writeLock(path: string, plan: Plan, wrong: boolean): void {
  if (wrong)
    throw new CausewayError(
      'CW-LOCK-FINDINGS',
      'nothing was locked, because the manifests have errors',
      'mend the findings above, then lock',
      exitCodes.findings,
    );
  if (path === '-')
    throw new CausewayError('CW-LOCK-STDIN', 'a lock needs a directory to stand in', 'name the directory instead of -');
  const file = join(statSync(path).isDirectory() ? path : dirname(path), lockFile);
  writeAtomically(file, formatLock(lockOf(plan.addresses)));
  process.stderr.write(`wrote ${file}\n`);
}
