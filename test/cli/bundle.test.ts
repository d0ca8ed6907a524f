// Commands in any order in one checkout, after `up` has left a bundle there.
import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ended, TestGateway } from '../../src/gateway/supervisor/testing/gateway-process.ts';
import { clusterTo, snapshotOf } from '../../src/gateway/supervisor/testing/snapshots.ts';
import { type Clone, cloneProject } from '../support/clone.ts';
import { allCommands, nobody } from '../support/commands.ts';
import { createUndoList } from '../support/gateway/undo.ts';
import type { Result } from '../support/mini-project.ts';
import { packageName } from '../support/source-tree.ts';

const mark = 'this is the bundle';
const undo = createUndoList();
let clone: Clone;
let bundle: string;

before(() => {
  clone = cloneProject(undo);
  clone.makeBundle();
  const home = path.join(clone.root, 'node_modules/.causeway-bundle');
  bundle = path.join(home, readFileSync(path.join(home, 'current'), 'utf8').trim());
  const main = path.join(bundle, 'main.mjs');
  writeFileSync(main, `process.stderr.write(${JSON.stringify(`${mark}\n`)});\n${readFileSync(main, 'utf8')}`);
});
after(() => undo.run());

/** Without the mark; fails where something else than the bundle answered. */
async function fromBundle(...args: string[]): Promise<Result> {
  const result = await clone.start(args);
  assert.ok(result.stderr.startsWith(`${mark}\n`), `the bundle did not run: ${result.stderr}`);
  return { ...result, stderr: result.stderr.slice(mark.length + 1) };
}

function isNoBug({ stdout, stderr }: Result): void {
  assert.doesNotMatch(stdout + stderr, /internal error|Cannot find (?:module|package)|ERR_MODULE/);
}

describe('from the bundle that "up" leaves behind', () => {
  for (const { words, args, isGroup } of allCommands())
    it(`starts "${words.join(' ')}"`, async () => {
      const result = await fromBundle(...words, ...args);
      isNoBug(result);
      assert.notEqual(result.code, null, 'it did not end by itself');
      // A group of commands may show its help; everything else gets past the description of its arguments.
      if (!isGroup) assert.doesNotMatch(result.stderr, /^error: (?:missing|unknown|required|option|too many)/m);
    });

  it('"test" and "bench" run in any order, repeatedly', async () => {
    const test = async (): Promise<void> => {
      const { code, stdout, stderr } = await fromBundle('test', '--only', 'src/core/memo');
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /^\d+ passed, 0 failed$/m);
    };
    const bench = async (): Promise<void> => {
      const { code, stderr } = await fromBundle('bench', 'plan', '--only', 'plan-1000', '-o', 'json');
      assert.equal(code, 0, stderr);
    };
    for (const one of [test, bench, bench, test]) await one();
  });

  it('a mistake in the arguments of any benchmark is told with its fix', async () => {
    for (const name of ['plan', 'gateway', 'up']) {
      const { code, stderr } = await fromBundle('bench', name, '--only', nobody);
      assert.match(stderr, new RegExp(`^error: there is no row "${nobody}" \\[CW-CLI-BENCH\\]\n {2}fix: known are `));
      assert.equal(code, 2);
    }
  });

  it('every module and file that its modules name is there', () => {
    const files = globSync('*.mjs', { cwd: bundle });
    assert.ok(files.length > 20);
    assert.deepEqual(files.flatMap(missingIn), []);
  });

  it('a gateway is upgraded from the sources, also when its bundle is gone', async (t) => {
    const own = path.join(clone.root, 'node_modules/.causeway-bundle/removed');
    cpSync(bundle, own, { recursive: true });
    const gateway = new TestGateway(t, path.join(own, 'main.mjs'));
    gateway.write(snapshotOf('1', { a: clusterTo('a', '127.0.0.1:9') }));
    const child = await gateway.start();
    rmSync(own, { recursive: true });
    const answer = await gateway.get('/upgrade', 'POST');
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await ended(child), 0);
    assert.equal((await gateway.get('/readyz')).status, 200);
  });
});

const specifier = /^(?:import|export)\b[^"'`;]*"([^"\n]+)";$|\bimport\("([^"\n]+)"\)/gm;
const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const place = /new URL\("([^"]+)", (?:new URL\("([^"]+)", import\.meta\.url\)\.href|import\.meta\.url)\)/g;

function missingIn(file: string): string[] {
  const text = readFileSync(path.join(bundle, file), 'utf8').replace(comment, '');
  const modules = [...text.matchAll(specifier)]
    .map(([, whole, lazy]) => whole ?? lazy ?? '')
    .filter((name) => !resolves(name));
  const places = [...text.matchAll(place)]
    .map(([, name = '', base = file]) => path.join(bundle, path.dirname(base), name))
    .filter((target) => !existsSync(target));
  return [...modules, ...places].map((name) => `${file} names ${name}`);
}

const resolves = (name: string): boolean =>
  name.startsWith('.')
    ? existsSync(path.join(bundle, name))
    : isBuiltin(name) || existsSync(path.join(clone.root, 'node_modules', packageName(name)));
