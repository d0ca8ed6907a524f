import { globSync } from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import type { TestArguments } from '../../src/cli/commands/test.ts';
import { failureReport } from './failure-report.ts';
import { readMachine, shortages } from './machine-limits.ts';
import { progressLine } from './progress.ts';
import { killTestFiles, onSilence } from './silence.ts';
import { failuresIn, noTests, oneFailure, type Tally } from './tally.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface TestRun {
  name: 'unit' | 'interop' | 'browser';
  files: string[];
  /** How long one test may take; a file that does not end after that is ended. */
  minutes: number;
}

export const testFiles = (): string[] =>
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'], { cwd: root }).sort();

/** Two at a time: more only makes tests with deadlines wait for each other on small machines. */
const concurrency = 2;

const fileLimit = new URL('file-limit.ts', import.meta.url).href;

/** Runs one kind of test file; on failure Node's full report follows the progress lines. */
export async function runTestFiles(
  { name, files, minutes }: TestRun,
  args: TestArguments,
  print: (text: string) => unknown,
): Promise<Tally> {
  print(name);
  tellTests(args, 1.2 * minutes);
  const report = failureReport();
  let tally = noTests;
  const absolute = files.map((file) => path.join(root, file));
  const timeout = minutes * 60_000;
  const events = run({ files: absolute, cwd: root, concurrency, timeout, execArgv: ['--import', fileLimit] });
  for await (const event of onSilence(events, 1.5 * timeout, killTestFiles)) {
    report.write(event);
    const line = progressLine(event, root);
    if (line) print(line);
    // At once: when the run is over, the machine has recovered.
    if (event.type === 'test:fail') for (const sentence of shortages(readMachine())) print(`      ${sentence}`);
    if (event.type === 'test:summary' && event.data.file === undefined) tally = tallyOf(event.data);
  }
  if (failuresIn(tally) > 0) print(await report.text());
  return tally;
}

/** Tests are processes of their own and read their options from the environment. */
function tellTests({ update, soak, quick }: TestArguments, fileMinutes: number): void {
  // How this run was started is not how tests start the command line.
  delete process.env.CAUSEWAY_COMMAND;
  process.env.CAUSEWAY_FILE_MINUTES = String(fileMinutes);
  if (quick) process.env.CAUSEWAY_QUICK = '1';
  if (update) process.env.CAUSEWAY_UPDATE = '1';
  if (soak) process.env.CAUSEWAY_SOAK = '1';
}

type Summary = Extract<TestEvent, { type: 'test:summary' }>['data'];

function tallyOf({ counts, duration_ms, success }: Summary): Tally {
  const { tests, suites, passed, cancelled, skipped, todo } = counts;
  const failed = tests - passed - cancelled - skipped - todo;
  const tally = { tests, suites, passed, failed, cancelled, skipped, todo, milliseconds: duration_ms };
  // A file that breaks outside of any test fails the run without being counted.
  return !success && failuresIn(tally) === 0 ? { ...tally, failed: oneFailure.failed } : tally;
}
