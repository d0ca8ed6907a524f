import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Started } from './page.ts';
import { sampleApi } from './testing/sample-api.ts';

/** The page as its server sends it. */
async function pageOf(t: TestContext, options: { built?: string; started?: Started }): Promise<string> {
  const pageDirectory = mkdtempSync(path.join(tmpdir(), 'causeway-page-'));
  t.after(() => rmSync(pageDirectory, { recursive: true }));
  const { built, ...rest } = options;
  if (built !== undefined) writeFileSync(path.join(pageDirectory, 'index.html'), built);
  const { ask } = await sampleApi(t, { pageDirectory, ...rest });
  return (await ask(undefined, '/clusters')).text();
}

const built =
  '<meta name="causeway-command" content="causeway" /><meta name="causeway-directory" content="" /><noscript><code>causeway status</code></noscript>';

const started = { command: '/opt/causeway/causeway', directory: '/srv/platform' };

test('the page carries the command that the platform was started by', async (t) => {
  const page = await pageOf(t, { built, started });
  assert.match(page, /<meta name="causeway-command" content="\/opt\/causeway\/causeway" \/>/);
  assert.match(page, /<meta name="causeway-directory" content="\/srv\/platform" \/>/);
  assert.match(page, /<code>\/opt\/causeway\/causeway status<\/code>/);
  assert.equal(await pageOf(t, { built }), built);
});

test('a command with signs of HTML does not become markup', async (t) => {
  const page = await pageOf(t, { built, started: { command: `'/opt/"<b>&/causeway'`, directory: '"' } });
  assert.match(page, /content="'\/opt\/&quot;&lt;b&gt;&amp;\/causeway'"/);
  assert.doesNotMatch(page, /<b>/);
});

test('while the page is being built, the command in the terminal is the right one too', async (t) => {
  assert.match(await pageOf(t, { started }), /<code>\/opt\/causeway\/causeway status<\/code>/);
});
