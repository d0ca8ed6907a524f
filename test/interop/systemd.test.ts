// What a real systemd gives a program of the variables and arguments that we wrote for it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { agentFiles, programLink } from '../../src/cli/cluster/join-files.ts';
import { environmentAssignment, environmentFile, execLine, systemdUnit } from '../../src/core/systemd.ts';
import { hostileTexts } from '../../src/core/testing/hostile-text.ts';
import type { JoinInfo, JoinTunnel } from '../../src/platform/join/join-info.ts';
import { temporaryDirectory } from '../e2e/gateway/world.ts';
import { undoAfter } from '../support/gateway/undo.ts';
import { needProgram, needRoot } from '../support/programs.ts';
import { startSystemd } from '../support/systemd.ts';

test('systemd gives a program every variable and argument exactly as it was given to us', async (t) => {
  if (!needProgram(t, 'systemd-analyze') || !needRoot(t, 'a systemd of its own')) return;
  const units = temporaryDirectory(t, 'systemd');
  const at = (name: string): string => path.join(units, name);
  const texts = hostileTexts();
  const inFile = Object.fromEntries(texts.map((text, n) => [`FILE_${n}`, text]));
  const inUnit = Object.fromEntries(texts.map((text, n) => [`UNIT_${n}`, text]));
  writeFileSync(at('test.env'), environmentFile(inFile));
  const unit = systemdUnit({
    Unit: { DefaultDependencies: 'no' },
    Service: {
      Type: 'oneshot',
      EnvironmentFile: at('test.env'),
      Environment: Object.entries(inUnit).map(([name, value]) => environmentAssignment(name, value)),
      ExecStart: execLine([
        '/bin/sh',
        '-c',
        `env -0 >${at('env')}; printf '%s\\0' "$@" >${at('args')}`,
        'sh',
        ...texts,
      ]),
    },
  });
  writeFileSync(at('test.service'), unit);
  const { systemctl } = await startSystemd(undoAfter(t), { units });
  await systemctl('start', 'test.service');

  const seen = Object.fromEntries(
    words(at('env')).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  for (const [name, value] of Object.entries({ ...inFile, ...inUnit })) assert.equal(seen[name], value, name);
  assert.deepEqual(words(at('args')), texts);
});

const info = { cluster: 'web', apiServer: 'web.west.example.com:6443' } as JoinInfo;
const tunnel: JoinTunnel = {
  ...{ gateway: '[2001:db8::1]:443', name: 'tunnel.example.com', ca: 'CA', token: 'TOKEN', byProxy: false },
  ...{ authority: 'apiserver-external.cluster-web.svc.cluster.local:443', listen: '[fd00:64::10]:6443' },
};

/** Of a worker, with a program that is on this machine. */
function workerUnits(t: TestContext): string[] {
  const directory = temporaryDirectory(t, 'units');
  const units = agentFiles(info, tunnel).filter((file) => /\.(service|timer)$/.test(file.path));
  return units.map((unit) => {
    const file = path.join(directory, path.basename(unit.path));
    writeFileSync(file, unit.text.replace(programLink, process.execPath));
    return file;
  });
}

test('systemd takes the units of a worker, with every directive in them', (t) => {
  const analyze = needProgram(t, 'systemd-analyze');
  if (analyze === undefined) return;
  const { stdout, stderr } = spawnSync(analyze, ['verify', '--man=no', ...workerUnits(t)], { encoding: 'utf8' });
  assert.deepEqual(
    `${stdout}${stderr}`.split('\n').filter((line) => line.includes('causeway-agent')),
    [],
  );
});

/** Of systemd's measure, which is 0 for a unit that can do nothing and 9.6 for one without any restriction. */
const mostExposed = 1.6;

test('systemd finds no unit of a worker exposed', (t) => {
  const analyze = needProgram(t, 'systemd-analyze');
  if (analyze === undefined) return;
  const services = workerUnits(t).filter((file) => file.endsWith('.service'));
  assert.equal(services.length, 3);
  for (const file of services) {
    const args = ['security', '--offline=yes', '--no-pager', file];
    const { stdout, stderr } = spawnSync(analyze, args, { encoding: 'utf8' });
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1];
    assert.ok(Number(exposure) <= mostExposed, `${path.basename(file)}: ${exposure}\n${stdout}${stderr}`);
  }
});

const words = (file: string): string[] => readFileSync(file, 'utf8').split('\0').slice(0, -1);
