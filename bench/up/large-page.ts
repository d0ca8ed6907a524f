// How long a person waits for the page, in a browser.
import { type Browser, chromium, type Page } from 'playwright-core';
import { median } from '../gateway/figures.ts';

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];

type Step = readonly [name: string, act: (page: Page, url: string) => Promise<void>];

/** Until what was asked for can be used. */
const steps: readonly Step[] = [
  [
    'topology',
    async (page, url) => {
      await page.goto(new URL('/', url).href);
      await page.getByText('dc-00', { exact: true }).first().waitFor();
    },
  ],
  [
    'clusters',
    async (page, url) => {
      await page.goto(new URL('/clusters', url).href);
      await page.getByRole('link', { name: 'c000000' }).waitFor();
    },
  ],
  [
    'search',
    async (page) => {
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Search for a page or a cluster' }).fill('c004242');
      await page.getByRole('option', { name: 'c004242' }).waitFor();
    },
  ],
];

export interface PageVisit {
  /** Path of Chromium. */
  readonly browser: string;
  readonly link: string;
  readonly rounds: number;
}

export async function timesOfPages(visit: PageVisit): Promise<[name: string, ms: number][]> {
  const { link, rounds } = visit;
  const browser = await chromium.launch({ executablePath: visit.browser, args });
  try {
    const context = await signedIn(browser, link);
    const took = steps.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      const page = await context.newPage();
      for (const [at, [, act]] of steps.entries()) took[at]?.push(await timeOf(() => act(page, link)));
      await page.close();
    }
    return steps.map(([name], at) => [name, median(took[at] ?? [])]);
  } finally {
    await browser.close();
  }
}

async function signedIn(browser: Browser, link: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.close();
  return context;
}

async function timeOf(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
