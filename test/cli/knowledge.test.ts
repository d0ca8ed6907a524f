import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Command } from 'commander';
import { describeCommands } from '../../src/cli/program.ts';
import { kinds } from '../../src/model/schema/index.ts';
import { causeway } from '../support/cli.ts';

const commands = describeCommands(new Command()).commands.map((command) => command.name());

test('help names every command, and every command has help', () => {
  const help = causeway(['--help']);
  assert.equal(help.code, 0);
  for (const name of commands) {
    assert.match(help.stdout, new RegExp(`^  ${name} `, 'm'));
    const own = causeway([name, '--help']);
    assert.equal(own.code, 0, name);
    assert.match(own.stdout, new RegExp(`^Usage: causeway ${name} `));
  }
});

test('the schema of every kind, of the lock and of the plan is JSON', () => {
  const all = JSON.parse(causeway(['schema']).stdout) as { properties: { kind: { enum: string[] } } };
  assert.deepEqual(all.properties.kind.enum, kinds);
  for (const kind of [...kinds, 'Lock', 'plan']) {
    const schema = JSON.parse(causeway(['schema', kind]).stdout) as { type: string };
    assert.equal(schema.type, 'object', kind);
  }
  const unknown = causeway(['schema', 'Clutser']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /did you mean Cluster\?/);
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`the completion script for ${shell} knows every command`, () => {
    const script = causeway(['completion', shell]).stdout;
    for (const name of commands) assert.match(script, new RegExp(`\\b${name}\\b`));
  });
}

test('bash completes commands and their options', () => {
  const script = causeway(['completion', 'bash']).stdout;
  const complete = (...words: string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _causeway; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n');
  };
  assert.deepEqual(complete('causeway', 'val'), ['validate']);
  assert.deepEqual(complete('causeway', 'render', '--o'), ['--out', '--only']);
});

test('the version is that of the package', () => {
  assert.match(causeway(['version']).stdout, /^causeway \d+\.\d+\.\d+ \(node \d+/);
});
