import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dockerImage, pauseProgram } from './images.ts';

const image = dockerImage({ name: 'docker.io/local/app:1', program: Buffer.from('a program'), arguments: ['serve'] });
const member = (archive: Buffer, name: string): Buffer => execFileSync('tar', ['-xO', name], { input: archive });

test('tar finds a manifest that names the image, and a layer with the program', () => {
  const [manifest] = JSON.parse(`${member(image, 'manifest.json')}`);
  assert.deepEqual(manifest.RepoTags, ['docker.io/local/app:1']);
  const layer = member(image, manifest.Layers[0]);
  assert.equal(`${member(layer, 'program')}`, 'a program');
  assert.match(`${execFileSync('tar', ['-tv'], { input: layer })}`, /^-rwxr-xr-x .* program$/m);
});

test('the configuration vouches for the layer, and starts the program', () => {
  const config = JSON.parse(`${member(image, 'config.json')}`);
  assert.deepEqual(config.rootfs.diff_ids, [`sha256:${hash('sha256', member(image, 'layer.tar'))}`]);
  assert.deepEqual(config.config.Entrypoint, ['/program', 'serve']);
});

test('sleeps without using the processor, until it is killed', { skip: platform() !== 'linux' }, async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-pause-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'pause');
  writeFileSync(file, pauseProgram(), { mode: 0o755 });
  const child = spawn(file);
  await once(child, 'spawn');
  // Stopping and continuing wakes it up, after which it must go to sleep again.
  for (const signal of ['SIGSTOP', 'SIGCONT'] as const) child.kill(signal);
  const state = (): string | undefined => / \(pause\) (\S)/.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))?.[1];
  for (const deadline = performance.now() + 5_000; state() !== 'S'; await sleep(5))
    assert.ok(performance.now() < deadline, state());
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
});

test('is an ELF file for the processor it is made for', () => {
  assert.equal(pauseProgram('x64').readUInt16LE(18), 62);
  assert.equal(pauseProgram('arm64').readUInt16LE(18), 183);
  assert.notDeepEqual(pauseProgram('x64'), pauseProgram('arm64'));
  assert.throws(() => pauseProgram('mips'), { code: 'CW-REAL-CPU' });
  assert.ok(pauseProgram(arch()).length < 200);
});
