import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { targetsFor } from '../../src/cli/commands/install.ts';
import { type Clone, cloneProject } from '../support/clone.ts';
import { createUndoList } from '../support/gateway/undo.ts';
import type { Result } from '../support/mini-project.ts';

const undo = createUndoList();
let clone: Clone;
let home: string;
const at = (...names: string[]): string => path.join(home, ...names);
const bin = (): string => at('.local/bin');

before(() => {
  clone = cloneProject(undo);
});
after(() => undo.run());
beforeEach(() => {
  home = path.join(clone.scratch, 'home');
  rmSync(home, { recursive: true });
  mkdirSync(home);
});

const withBin = (): string => `${bin()}:${process.env.PATH}`;
/** Always with --dir: as root it would install for everybody. */
const install = (...args: string[]): Promise<Result> =>
  clone.start(['install', '--dir', bin(), ...args], { env: { PATH: withBin() } });
const uninstall = (): Promise<Result> => clone.start(['install', '--undo']);
const files = (): string[] => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();

describe('install', () => {
  it('makes "causeway" a command, says what it made, and does nothing the second time', async () => {
    const first = await install();
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, new RegExp(`^made: ${bin()}/causeway -> ${clone.root}/causeway$`, 'm'));
    assert.equal(first.stdout.match(/^made: .*completion for/gm)?.length, 3);
    assert.match(first.stdout, /^"causeway" is a command now$/m);
    const made = files();
    const second = await install();
    assert.equal(second.stdout.match(/^there already: /gm)?.length, 4);
    assert.doesNotMatch(second.stdout, /^made/m);
    assert.deepEqual(files(), made);
    const { stdout } = await clone.start(['-c', 'causeway version'], { as: '/bin/sh', env: { PATH: withBin() } });
    assert.match(stdout, /^causeway \d/);
  });

  it('says how to put the directory on PATH where it is not, and which program is in front of it', async () => {
    const elsewhere = await clone.start(['install', '--dir', bin()]);
    assert.match(elsewhere.stdout, new RegExp(`${bin()} is not on PATH: .*export PATH="${bin()}:\\$PATH"`));
    const other = path.join(clone.scratch, 'other');
    mkdirSync(other, { recursive: true });
    writeFileSync(path.join(other, 'causeway'), '#!/bin/sh\n', { mode: 0o755 });
    const shadowed = await clone.start(['install', '--dir', bin()], { env: { PATH: `${other}:${withBin()}` } });
    assert.match(shadowed.stdout, new RegExp(`"causeway" is another program, ${other}/causeway`));
  });

  it('replaces nothing of others, and then makes nothing at all', async () => {
    mkdirSync(bin(), { recursive: true });
    writeFileSync(path.join(bin(), 'causeway'), 'mine');
    const { code, stderr } = await install();
    assert.equal(code, 2);
    assert.match(stderr, /something else is there already: .*causeway \[CW-INSTALL-TAKEN\]\n {2}fix: /);
    assert.deepEqual(files(), ['.local', '.local/bin', '.local/bin/causeway']);
    assert.equal(readFileSync(path.join(bin(), 'causeway'), 'utf8'), 'mine');
    rmSync(path.join(bin(), 'causeway'));
    symlinkSync('/nowhere/causeway', path.join(bin(), 'causeway'));
    assert.equal((await install()).code, 2);
  });

  it('replaces what an earlier version of it has written', async () => {
    await install();
    const record = at('.local/state/causeway/installed.json');
    const old = '# of an earlier version\n';
    const file = at('.local/share/bash-completion/completions/causeway');
    const kept = readFileSync(record, 'utf8').replace(JSON.stringify(readFileSync(file, 'utf8')), JSON.stringify(old));
    writeFileSync(record, kept);
    writeFileSync(file, old);
    assert.equal((await install()).code, 0);
    assert.match(readFileSync(file, 'utf8'), /completion bash/);
    await uninstall();
    assert.deepEqual(files(), []);
  });
});

describe('install --undo', () => {
  it('removes all that was made, and nothing else', async () => {
    mkdirSync(at('.config'));
    mkdirSync(at('.local/share/zsh'), { recursive: true });
    writeFileSync(at('.local/share/zsh/history'), '');
    const was = files();
    await install();
    assert.notDeepEqual(files(), was);
    const { code, stdout } = await uninstall();
    assert.equal(code, 0);
    assert.equal(stdout.match(/^removed: /gm)?.length, 4);
    assert.deepEqual(files(), was);
    assert.equal((await uninstall()).stdout, 'nothing was installed from here\n');
  });

  it('leaves a link that somebody made by hand, and a file that was changed', async () => {
    mkdirSync(bin(), { recursive: true });
    symlinkSync(path.join(clone.root, 'causeway'), path.join(bin(), 'causeway'));
    await install();
    const changed = at('.config/fish/completions/causeway.fish');
    writeFileSync(changed, 'mine');
    const { stdout } = await uninstall();
    assert.match(stdout, /^left alone, because it has changed: .*causeway\.fish$/m);
    assert.deepEqual(
      files().filter((file) => /causeway/.test(file)),
      ['.config/fish/completions/causeway.fish', '.local/bin/causeway'],
    );
  });
});

describe('where it installs to', () => {
  const places = (isRoot: boolean, env: Record<string, string>, dir?: string): string[] =>
    targetsFor({ isRoot, env, ...(dir === undefined ? {} : { dir }) }).map(({ file }) => file);

  it('is what all users read when root asks, and what the user reads otherwise', () => {
    assert.deepEqual(places(true, { HOME: '/root' }), [
      '/usr/local/bin/causeway',
      '/usr/local/share/bash-completion/completions/causeway',
      '/usr/local/share/zsh/site-functions/_causeway',
      '/usr/local/share/fish/vendor_completions.d/causeway.fish',
    ]);
    const own = ['bash-completion/completions/causeway', 'zsh/site-functions/_causeway'];
    assert.deepEqual(places(false, { HOME: '/home/ann' }), [
      '/home/ann/.local/bin/causeway',
      ...own.map((file) => `/home/ann/.local/share/${file}`),
      '/home/ann/.config/fish/completions/causeway.fish',
    ]);
    assert.deepEqual(places(true, { HOME: '/root', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: 'relative' }, '/opt/bin'), [
      '/opt/bin/causeway',
      ...own.map((file) => `/data/${file}`),
      '/root/.config/fish/completions/causeway.fish',
    ]);
  });
});

describe('the completion that it installs', () => {
  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    HOME: home,
    PATH: withBin(),
    CAUSEWAY_NODE: process.execPath,
    CAUSEWAY_CACHE: path.join(clone.scratch, 'cache'),
  });
  const answer = (program: string, args: string[]): string =>
    execFileSync(program, args, { encoding: 'utf8', env: environment(), cwd: clone.scratch });

  it('completes in bash', async () => {
    await install();
    const file = at('.local/share/bash-completion/completions/causeway');
    const script = `source '${file}'; COMP_WORDS=(causeway kubec); COMP_CWORD=1; _causeway; echo "\${COMPREPLY[@]}"`;
    assert.equal(answer('bash', ['-c', script]), 'kubeconfig kubectl\n');
    assert.match(answer('bash', ['-c', `source '${file}'; complete -p causeway`]), /-F _causeway causeway/);
  });
});
