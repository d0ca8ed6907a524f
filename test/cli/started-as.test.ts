// What is printed for people to type can be typed: by the name that the launcher was started by.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandNames } from '../../src/core/command-text.ts';
import { type Clone, cloneProject, type StartOptions } from '../support/clone.ts';
import { allCommands, type KnownCommand } from '../support/commands.ts';
import { createUndoList } from '../support/gateway/undo.ts';
import { readProjectFile, sourceFiles } from '../support/source-tree.ts';

const undo = createUndoList();
let clone: Clone;
before(() => {
  clone = cloneProject(undo);
  mkdirSync(path.join(clone.scratch, 'bin'));
  symlinkSync('../clone/causeway', path.join(clone.scratch, 'bin/cw'));
});
after(() => undo.run());

const firstWords = new Set<string>([...allCommands().map(({ words }) => words[0] ?? ''), 'help']);

/** Program and first word of each command in a text. */
const commandsIn = (text: string): [program: string, word: string][] =>
  [...text.matchAll(/('[^']+'|[\w./-]*(?:causeway|cw)) (--help|[a-z][a-z-]*)/g)]
    .map(([, program = '', word = '']): [string, string] => [program, word])
    .filter(([, word]) => word === '--help' || firstWords.has(word));

/** Fails where a shell in that directory does not find it. */
function canBeTyped(program: string, cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync('/bin/sh', ['-c', `command -v ${program}`], { cwd, env: { ...process.env, ...env } });
  assert.equal(status, 0, `"${program}" cannot be started in ${cwd}`);
}

/** What a command says in a directory with nothing in it for it, and when it is used wrongly. */
async function saidBy({ words, args }: KnownCommand): Promise<string> {
  const options = { cwd: clone.root, as: './causeway' };
  const used = await clone.start([...words, ...args], options);
  const misused = await clone.start([...words, '--wrong'], options);
  // Scripts for shells and data for programs are no advice.
  const isData = ['completion', 'schema'].includes(words[0] ?? '');
  return [isData ? '' : used.stdout, used.stderr, misused.stdout, misused.stderr].join('\n');
}

async function fixOf(options: StartOptions & { command?: string }): Promise<string> {
  const args = options.as === '/bin/sh' ? ['-c', `${options.command} status`] : ['status'];
  const { stderr } = await clone.start(args, options);
  return /write a first set: (.+) init platform/.exec(stderr)?.[1] ?? stderr;
}

describe('a command that is printed', () => {
  it('exists, whatever command prints it', async () => {
    // With manifests beside it, each command gets as far as it can without a platform that runs.
    const platform = path.join(clone.root, 'platform');
    cpSync(path.join(clone.root, 'examples/local'), platform, { recursive: true });
    const found = new Set<string>();
    for (const command of allCommands())
      for (const [program, word] of commandsIn(await saidBy(command))) {
        canBeTyped(program, clone.root, { PATH: '/usr/bin:/bin' });
        found.add(`${program} ${word}`);
      }
    rmSync(platform, { recursive: true });
    const others = [...found].filter((command) => !command.startsWith('./causeway '));
    assert.deepEqual(others, []);
    assert.ok(found.size > 4, [...found].join(', '));
  });

  it('is the path that was typed', async () => {
    const { root, scratch } = clone;
    assert.equal(await fixOf({ cwd: root, as: './causeway' }), './causeway');
    assert.equal(await fixOf({ cwd: path.join(root, 'docs'), as: '../causeway' }), '../causeway');
    assert.equal(
      await fixOf({ cwd: path.join(scratch, 'work'), as: path.join(root, 'causeway') }),
      path.join(root, 'causeway'),
    );
    assert.equal(await fixOf({ cwd: scratch, as: './bin/cw' }), './bin/cw');
    assert.equal(await fixOf({ cwd: root, as: '/bin/sh', command: 'sh causeway' }), './causeway');
  });

  it('is the bare name where PATH leads here by it, however it was started', async () => {
    const { root, scratch } = clone;
    const env = { PATH: `${path.join(scratch, 'bin')}:${process.env.PATH}` };
    assert.equal(await fixOf({ cwd: root, as: '/bin/sh', command: 'cw', env }), 'cw');
    assert.equal(await fixOf({ cwd: scratch, as: './bin/cw', env }), 'cw');
    // Another program of that name is none of ours.
    assert.equal(await fixOf({ cwd: root, as: './causeway', env }), './causeway');
  });

  it('is quoted where a shell would split it', async () => {
    const odd = path.join(clone.scratch, "Ann's tools");
    mkdirSync(odd);
    symlinkSync('../clone/causeway', path.join(odd, 'causeway'));
    const printed = await fixOf({ cwd: clone.scratch, as: path.join(odd, 'causeway') });
    canBeTyped(printed, '/');
    assert.match(printed, /^'/);
  });

  it('is in the help too', async () => {
    const options = { cwd: clone.root, as: './causeway' };
    assert.match((await clone.start(['status', '--help'], options)).stdout, /^Usage: \.\/causeway status /);
    assert.match((await clone.start(['stauts'], options)).stderr, /\(\.\/causeway --help shows the commands\)/);
  });

  it('is in findings for people, and not in those for programs', async () => {
    const options = { cwd: clone.root, as: './causeway' };
    mkdirSync(path.join(clone.root, 'empty'));
    assert.match((await clone.start(['validate', 'empty'], options)).stdout, /"\.\/causeway init"/);
    const { stdout } = await clone.start(['validate', 'empty', '-o', 'json'], options);
    assert.match(stdout, /\\"causeway init\\"/);
  });
});

describe('texts that name commands', () => {
  it('name only commands that there are', () => {
    const prose = ['as', 'on', 'own', 'to'];
    const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm;
    const unknown = sourceFiles('{src,web/src}/**/*.{ts,tsx}')
      .filter((file) => !file.includes('.test.') && !file.includes('/testing/'))
      .flatMap((file) =>
        [
          ...readProjectFile(file)
            .replace(comment, '')
            .matchAll(/(?<![\w./-])causeway ([a-z][a-z-]*)/g),
        ]
          .map(([, word = '']) => word)
          .filter((word) => !firstWords.has(word) && !prose.includes(word))
          .map((word) => `${file}: there is no command "causeway ${word}"`),
      );
    assert.deepEqual(unknown, []);
  });

  it('are all known to what replaces their name', () => {
    assert.deepEqual([...commandNames], [...firstWords].sort(), 'src/core/command-text.ts lists the commands');
  });
});
