// The API and the page with ten thousand clusters in the model. None of them runs: what is asked is whether the page of a
// large platform answers, not whether one machine can carry it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { stringify } from 'yaml';
import { bigPlatform } from '../plan/platform.ts';
import type { Row } from '../row.ts';

const clusters = 10_000;
const requests = 300;
const paths = [
  '/api/v1/clusters?limit=50',
  '/api/v1/clusters?limit=50&q=c0042',
  '/api/v1/clusters/c004242',
  '/api/v1/flows?limit=50',
  '/api/v1/topology',
];

export async function largePlatform(progress: (line: string) => void): Promise<Row[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-bench-'));
  for (const resource of bigPlatform(clusters))
    writeFileSync(path.join(directory, `${resource.kind}-${resource.metadata.name}.yaml`), stringify(resource));
  progress(`a platform of ${clusters} clusters …`);
  const sample = fileURLToPath(new URL('../../src/api/testing/serve-sample.ts', import.meta.url));
  const child = spawn(process.execPath, [sample, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return await inBrowser(url);
  } finally {
    child.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** One browser does both: its session is what the API lets in. */
async function inBrowser(url: string): Promise<Row[]> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const rows = [];
    for (const at of paths)
      rows.push(shown(`api-p99 ${at}`, percentile99(await page.evaluate(timesOf, { at, requests }))));
    const began = performance.now();
    await page.goto(new URL('/clusters', url).href);
    await page.getByText('c000000').first().waitFor();
    return [...rows, shown('page-load', performance.now() - began)];
  } finally {
    await browser.close();
  }
}

/** Runs inside the page. */
async function timesOf({ at, requests: count }: { at: string; requests: number }): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const began = performance.now();
    const response = await fetch(at);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${at} was answered with ${response.status}`);
    times.push(performance.now() - began);
  }
  return times;
}

const percentile99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

const shown = (name: string, ours: number): Row => ({
  name,
  unit: 'ms',
  ours,
  peers: {},
  ratio: null,
  goal: 'shown',
  met: true,
});
