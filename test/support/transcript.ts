// Console blocks in documents: commands after "$ ", their further lines after "> ", what they print below.
// A line with … alone stands for any lines.
import { spawnSync } from 'node:child_process';

interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

const consoleBlock = /^```console\n([\s\S]*?)^```$/gm;
const elision = '…';

function stepsOfBlock(block: string): Step[] {
  const steps: { command: string; shown: string[] }[] = [];
  for (const line of block.trimEnd().split('\n')) {
    const step = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [] });
    else if (line.startsWith('> ') && step?.shown.length === 0) step.command += `\n${line.slice(2)}`;
    else step?.shown.push(line);
  }
  return steps.map(({ command, shown }) => ({ command, shown: withoutEmptyEnd(shown) }));
}

/** What the command prints, on either stream, line by line. */
export function outputOf(command: string, cwd: string, env: NodeJS.ProcessEnv): string[] {
  const { stdout } = spawnSync('sh', ['-c', `exec 2>&1\n${command}`], { cwd, env, encoding: 'utf8' });
  return withoutEmptyEnd(stdout.split('\n').map((line) => line.trimEnd()));
}

function withoutEmptyEnd(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}

/** The output with as much left out as the document leaves out: the lines before and after the first elision stay. */
export function elided(output: readonly string[], shown: readonly string[]): string[] {
  const at = shown.indexOf(elision);
  if (at < 0) return [...output];
  const after = shown.length - at - 1;
  return [...output.slice(0, at), elision, ...output.slice(output.length - after)];
}

/** The document with the output of every command as it is now. */
export const rewritten = (document: string, run: (command: string) => string[]): string =>
  document.replaceAll(consoleBlock, (_, block: string) => {
    const steps = stepsOfBlock(block).map(({ command, shown }) =>
      [`$ ${command.replaceAll('\n', '\n> ')}`, ...elided(run(command), shown)].join('\n'),
    );
    return `\`\`\`console\n${steps.join('\n')}\n\`\`\``;
  });
