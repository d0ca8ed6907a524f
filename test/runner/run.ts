import type { TestArguments } from '../../src/cli/commands/test.ts';
import { getPrograms } from './get-programs.ts';
import { installPrograms } from './install-programs.ts';
import { raiseLimits } from './machine-limits.ts';
import { runLint, runPageTypes, runTypes } from './static-checks.ts';
import { addTallies, closingLines, failuresIn, noTests, type Tally } from './tally.ts';
import { runTestFiles, type TestRun, testFiles } from './test-files.ts';

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Types, lint, unit tests and laws, then what needs foreign programs and a browser; every stage runs even if one before failed. */
export async function runStages(args: TestArguments): Promise<number> {
  const runs = testRuns(args);
  if (runs.length === 0) return refuse(args);
  const stages = args.only === undefined ? [runTypes, runPageTypes, runLint] : [];
  const tallies: Tally[] = [];
  for (const stage of stages) tallies.push(await stage(print));
  for (const run of runs) tallies.push(await runOneOf(run, args));
  const total = tallies.reduce(addTallies, noTests);
  print(closingLines(total));
  return failuresIn(total) === 0 ? 0 : 1;
}

function refuse({ only, quick }: TestArguments): number {
  const but = quick ? ', or --quick leaves it out' : '';
  process.stderr.write(`causeway: no test file has "${only}" in its path (src/… or test/…)${but}.\n`);
  return 1;
}

function testRuns({ quick, soak, only = '' }: TestArguments): TestRun[] {
  const files = testFiles().filter((file) => file.includes(only));
  const stageOf = (file: string): TestRun['name'] => {
    if (file.startsWith('test/browser/')) return 'browser';
    return /^test\/(conformance|interop|e2e|lab)\//.test(file) ? 'interop' : 'unit';
  };
  const stage = (name: TestRun['name'], minutes: number): TestRun => ({
    name,
    files: files.filter((file) => stageOf(file) === name),
    minutes,
  });
  const foreign = quick ? [] : [stage('interop', soak ? 75 : 10), stage('browser', 5)];
  return [stage('unit', soak ? 40 : 5), ...foreign].filter((run) => run.files.length > 0);
}

async function runOneOf(run: TestRun, args: TestArguments): Promise<Tally> {
  if (run.name !== 'unit') await installPrograms();
  if (!args.quick) await getPrograms(run.files);
  const restore = run.name === 'interop' ? raiseLimits((sentence) => print(`causeway: ${sentence}`)) : () => {};
  try {
    return await runTestFiles(run, args, print);
  } finally {
    restore();
  }
}
