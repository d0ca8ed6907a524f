// The guide of the agent: its unit is one that systemd takes, and it names every code that the agent can show.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scratch } from '../support/cli.ts';
import { needProgram } from '../support/programs.ts';
import { projectRoot, readProjectFile } from '../support/source-tree.ts';

const guide = readProjectFile('docs/guides/agent.md');

test('systemd takes the unit that the guide shows', (t) => {
  const analyze = needProgram(t, 'systemd-analyze');
  if (analyze === undefined) return;
  const unit = /```ini\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const file = path.join(scratch(t), 'causeway-agent.service');
  // The program and its user are not on this machine.
  writeFileSync(file, unit.replace('/opt/causeway/causeway', process.execPath).replace('User=causeway', 'User=root'));
  const { stderr, stdout } = spawnSync(analyze, ['verify', '--man=no', file], { encoding: 'utf8' });
  const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('causeway-agent'));
  assert.deepEqual(about, []);
});

test('the guide names every code of a failed way', () => {
  const sources = globSync(['src/net/proxy-dial/*.ts', 'src/agent/check/*.ts'], { cwd: projectRoot });
  const codes = new Set(
    sources
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => readProjectFile(file).match(/CW-(DIAL|PROXY|TLS|CHECK)-[A-Z-]+/g) ?? []),
  );
  assert.ok(codes.size > 20);
  assert.deepEqual(
    [...codes].filter((code) => !guide.includes(`\`${code}\``)),
    [],
  );
});
