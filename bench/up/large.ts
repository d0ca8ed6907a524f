// The API and the page with ten thousand clusters: a platform whose clusters are routed by its own gateway and looked at
// by it, while their control planes are elsewhere. Nobody else has such an API, so there are goals and no peers.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Summary } from '../../src/api/schema/status.ts';
import { controlClient } from '../../src/cli/control/control-client.ts';
import { pageLink } from '../../src/cli/up/summary.ts';
import type { Row } from '../row.ts';
import { editToRoute } from './edit.ts';
import { timesOfPages } from './large-page.ts';
import { type LargeSubject, withLargePlatform } from './large-platform.ts';
import { ownMemory } from './own-memory.ts';

const clusters = 10_000;
const requests = 200;
/** Far from what the API can do: it is asked while it does its other work, not while it is flooded. */
const everyMs = 25;

type Ask = () => Promise<unknown>;

export interface LargeOptions {
  readonly network: string;
  readonly rounds: number;
  /** Path of Chromium. */
  readonly browser: string;
  readonly progress: (line: string) => void;
}

export const largePlatform = ({ network, rounds, browser, progress }: LargeOptions): Promise<Row[]> =>
  withLargePlatform(network, clusters, async (subject) => {
    progress(`large: a platform of ${clusters} clusters …`);
    const rows = await starts(subject);
    progress('large: requests …');
    rows.push(...(await timesOfRequests(subject)));
    progress('large: edits …');
    rows.push(...(await edits(subject, rounds)));
    progress('large: the page …');
    const link = await pageLink(controlClient(subject.directory));
    for (const [name, took] of await timesOfPages({ browser, link, rounds }))
      rows.push(row(`large-page ${name}`, 'ms', took, 2000));
    const memory = await ownMemory(subject);
    return [...rows, { ...memory, name: 'large-memory', goal: '< 1000', met: memory.ours < 1000 }];
  });

/** The API answers for all of them long before each has been looked at, which takes a TLS handshake. */
async function starts(subject: LargeSubject): Promise<Row[]> {
  const began = performance.now();
  const { ask } = controlClient(subject.directory);
  const start = subject.up('--workers', 'none');
  const knowsAll = async (): Promise<boolean> => {
    const summary = await ask('GET', '/api/v1/summary').catch(() => undefined);
    return summary !== undefined && (JSON.parse(summary) as Summary).clusters.total === clusters;
  };
  const answers = (async () => {
    while (!(await knowsAll())) await sleep(everyMs);
    return performance.now() - began;
  })();
  const took = await start;
  return [
    row('large-start until the API answers', 's', (await answers) / 1000, 20),
    row('large-start until all were looked at', 's', took / 1000, 120),
  ];
}

const row = (name: string, unit: string, ours: number, most: number): Row => ({
  name,
  unit,
  ours,
  peers: {},
  ratio: null,
  goal: `< ${most}`,
  met: ours < most,
});

/** Whole lists take longer than one page of them, and a change is planned as a whole. */
function questions({ directory, clusterNames }: LargeSubject): [name: string, goal: number, ask: Ask][] {
  const { ask } = controlClient(directory);
  const get = (path: string, goal = 100): [string, number, Ask] => [
    `GET ${path}`,
    goal,
    () => ask('GET', `/api/v1${path}`),
  ];
  const name = clusterNames[Math.floor(clusterNames.length / 2)] ?? '';
  return [
    get('/summary'),
    get('/clusters?limit=50'),
    get(`/clusters?limit=50&q=${name.slice(0, -2)}`),
    get(`/clusters/${name}`),
    get('/topology'),
    get('/flows?limit=50'),
    get('/findings?limit=50'),
    get('/events?limit=50'),
    get(`/resources/Cluster/${name}`, 250),
    get('/status', 500),
    ['PUT ?dryRun', 1500, () => ask('PUT', '/api/v1/resources/Cluster/one-more?dryRun=true', oneMore)],
  ];
}

const oneMore = {
  apiVersion: 'causeway.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'one-more' },
  spec: { datacenter: 'dc-00', kubernetesVersion: '1.36.3' },
};

async function timesOfRequests(subject: LargeSubject): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, goal, ask] of questions(subject)) {
    const count = goal > 100 ? requests / 10 : requests;
    rows.push(row(`large-p99 ${name}`, 'ms', percentile99(await timesOf(ask, count)), goal));
  }
  return rows;
}

async function timesOf(ask: Ask, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    times.push(await timeOf(ask));
    await sleep(everyMs);
  }
  return times;
}

async function timeOf(ask: Ask): Promise<number> {
  const began = performance.now();
  await ask();
  return performance.now() - began;
}

const percentile99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

/** The whole model is planned anew: how long until the gateway routes by it, and how long does the API pause? */
async function edits(subject: LargeSubject, rounds: number): Promise<Row[]> {
  const { ask } = controlClient(subject.directory);
  const pauses: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) pauses.push(...(await timesOf(() => ask('GET', '/api/v1/summary'), 1)));
  })();
  const edit = await editToRoute(subject, rounds).finally(() => {
    isOver = true;
  });
  await asking;
  const goal = 2000;
  return [
    { ...edit, name: 'large-edit-to-route', goal: `< ${goal}`, met: edit.ours < goal },
    row('large-pause', 'ms', Math.max(...pauses), 1000),
  ];
}
