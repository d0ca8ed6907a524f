import assert from 'node:assert/strict';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { projectRoot } from '../../../test/support/source-tree.ts';
import { silentLog } from '../../sys/log.ts';
import { ensurePage } from './ensure-page.ts';
import { fileProblem } from './errors.ts';

interface SmallProject {
  root: string;
  write(file: string, text: string): void;
  /** Asks for the page and tells what was done for it. */
  ask(): Promise<string[]>;
  /** The text of the built script. */
  script(): string;
}

/** A project with a page of one line, and the real bundler. */
function smallProject(t: TestContext): SmallProject {
  const root = mkdtempSync(path.join(tmpdir(), 'causeway-page-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (file: string, text: string): void => writeFileSync(path.join(root, file), text);
  for (const directory of ['web', 'docs/reference']) mkdirSync(path.join(root, directory), { recursive: true });
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(root, 'node_modules'));
  write('package-lock.json', '{}');
  write('web/index.html', '<!doctype html><title>page</title><script type="module" src="/main.ts"></script>');
  write('web/main.ts', 'document.title = "one" as string;');
  const ask = async (): Promise<string[]> => {
    const done: string[] = [];
    const page = await ensurePage({ root, log: silentLog, onProgress: (doing) => done.push(doing) });
    assert.equal(page, path.join(root, 'web/dist'));
    assert.ok(existsSync(path.join(page, 'index.html')));
    return done;
  };
  const script = (): string => {
    const [file = 'no script'] = globSync('web/dist/assets/*.js', { cwd: root });
    return readFileSync(path.join(root, file), 'utf8');
  };
  return { root, write, ask, script };
}

const building = ['building the dashboard'];

test('builds the page once, and again when a source has changed', async (t) => {
  const { write, ask, script } = smallProject(t);
  assert.deepEqual(await ask(), building);
  assert.match(script(), /one/);
  assert.deepEqual(await ask(), []);
  write('web/main.ts', 'document.title = "two";');
  assert.deepEqual(await ask(), building);
  assert.match(script(), /two/);
});

test('builds the page again when packages have changed, or a file was added', async (t) => {
  const { write, ask } = smallProject(t);
  await ask();
  write('package-lock.json', '{"packages": {}}');
  assert.deepEqual(await ask(), building);
  write('web/more.ts', '');
  assert.deepEqual(await ask(), building);
});

test('of two who start at once, one builds and the other waits for it', async (t) => {
  const { ask } = smallProject(t);
  const done = (await Promise.all([ask(), ask()])).flat();
  assert.equal(done.filter((doing) => doing === building[0]).length, 1);
  assert.ok(done.some((doing) => doing.startsWith('waiting for process ')));
});

test('needs neither tools nor a place to write where the page is built', async (t) => {
  const { root, ask } = smallProject(t);
  await ask();
  rmSync(path.join(root, 'node_modules'));
  rmSync(path.join(root, 'web/.cache'), { recursive: true });
  assert.deepEqual(await ask(), []);
  assert.ok(!existsSync(path.join(root, 'web/.cache')));
});

test('a page that cannot be built names the mistake, and the old one stays', async (t) => {
  const { root, write, ask, script } = smallProject(t);
  await ask();
  write('web/main.ts', 'import "./missing.ts";');
  await assert.rejects(ask(), { code: 'CW-PAGE-BUILD', message: /missing\.ts/ });
  assert.match(script(), /one/);
  assert.deepEqual(globSync('web/.cache/*', { cwd: root }), []);
});

test('without the packages it says how to get them', async (t) => {
  const { root, ask } = smallProject(t);
  rmSync(path.join(root, 'node_modules'));
  await assert.rejects(ask(), { code: 'CW-PAGE-TOOLS', fix: /npm ci/ });
});

test('a directory that cannot be written, and a full disk, are named', () => {
  const said = (code: string): unknown => fileProblem(Object.assign(new Error(code), { code }), '/opt/causeway/web');
  for (const code of ['EROFS', 'EACCES', 'EPERM'])
    assert.match(String(said(code)), /\/opt\/causeway\/web cannot be written/);
  assert.match(String(said('ENOSPC')), /no space left on the disk of \/opt\/causeway\/web/);
});
