// Many commands in one process, because loading them takes longer than running them:
// reads [{cwd, args}] from standard input, and writes what became of each as JSON.
import { json } from 'node:stream/consumers';
import { Command } from 'commander';
import { describeCommands } from '../../src/cli/program.ts';
import type { CausewayError } from '../../src/core/errors.ts';

const written = process.stdout.write.bind(process.stdout);
const outcomes: object[] = [];
for (const { cwd, args } of (await json(process.stdin)) as { cwd: string; args: string[] }[])
  outcomes.push(await outcome(cwd, args));
written(JSON.stringify(outcomes));

async function outcome(cwd: string, args: readonly string[]): Promise<object> {
  let said = '';
  const listen = (text: string): boolean => {
    said += text;
    return true;
  };
  Object.assign(process.stdout, { write: listen });
  Object.assign(process.stderr, { write: listen });
  process.chdir(cwd);
  process.exitCode = 0;
  try {
    await describeCommands(new Command()).parseAsync([...args], { from: 'user' });
    return { said, code: process.exitCode };
  } catch (error) {
    const { code, message, fix } = error as CausewayError;
    return { said, code, message, fix };
  } finally {
    process.exitCode = 0;
  }
}
