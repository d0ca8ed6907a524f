// A real Chromium for a test file: one browser, a fresh profile per test, and a picture of what a failed test saw.
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { needProgram } from './programs.ts';

export type { Page } from 'playwright-core';

export interface View {
  /** @default 1280 */
  readonly width?: number;
  /** @default light */
  readonly theme?: 'light' | 'dark';
}

export interface OpenPage {
  readonly page: Page;
  /** What went wrong inside the page: exceptions, and errors on its console. */
  readonly troubles: readonly string[];
}

export interface TestBrowser {
  /** A page of its own, with no cookies of another test. Closed with the test. */
  open(t: TestContext, url: string, view?: View): Promise<OpenPage>;
}

/** No network but the page's own server: everything that calls home is off. */
const quietly = [
  '--disable-gpu',
  // It ends the drawing process, and after a few times the whole browser, when a busy machine lets it wait.
  '--disable-gpu-watchdog',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Undefined, with the test skipped, where there is no Chromium. */
export async function startBrowser(t: TestContext, flags: readonly string[] = []): Promise<TestBrowser | undefined> {
  const executablePath = needProgram(t, 'chromium');
  if (executablePath === undefined) return undefined;
  const launch = (): Promise<Browser> => chromium.launch({ executablePath, args: [...quietly, ...flags] });
  let browser = await launch();
  let over = false;
  t.after(() => {
    over = true;
    return inTime(browser.close(), 'the browser');
  });
  return {
    async open(test, url, view) {
      // One that crashed fails the test that used it, and no other. After the last test nobody would close a new one.
      if (over) throw new Error('the browser was closed: the test it belongs to is over');
      if (!browser.isConnected()) browser = await launch();
      return open(browser, test, url, view);
    },
  };
}

async function open(browser: Browser, t: TestContext, url: string, view: View = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1280, height: 800 },
    colorScheme: view.theme ?? 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  // Refused requests are told by the server too; a page may well expect them.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      troubles.push(message.text());
  });
  t.after(async () => {
    if (!hasPassed(t) && !page.isClosed()) await keepPicture(t, page);
    await inTime(context.close(), 'its page');
  });
  await page.goto(url);
  // A token in the address lets the page in by a request of its own; whoever leaves before its answer has used it for nothing.
  await page.waitForURL((now) => !now.searchParams.has('token'));
  return { page, troubles };
}

/** Closing has no limit of its own: a browser that does not answer would keep the test for ever. */
async function inTime(closing: Promise<void>, what: string): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Chromium did not close ${what} within 30 s`)), 30_000);
  await Promise.race([closing, promise]).finally(() => clearTimeout(timer));
}

// Node has told it since 21.7, its types do not.
const hasPassed = (t: TestContext): boolean => (t as TestContext & { passed: boolean }).passed;

async function keepPicture(t: TestContext, page: Page): Promise<void> {
  const directory = path.join(tmpdir(), 'causeway-pictures');
  const file = path.join(directory, `${t.name.replace(/\W+/g, '-')}.png`);
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: file, fullPage: true });
  t.diagnostic(`what the browser showed: ${file}`);
}

interface AxeRule {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What keeps people with assistive technology from using the page: serious and critical findings of axe. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: AxeRule[];
  };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`);
}

/** By how many pixels the page is wider than its window. */
export const overflow = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'));
