// Requests as kubectl makes them, through the gateway and directly at the API server, in turns.
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import { clusterHome, platformHome } from '../../src/runtime/local/home.ts';
import { rememberPorts } from '../../src/runtime/local/index.ts';
import { median } from '../gateway/figures.ts';
import type { Row } from '../row.ts';
import type { Subject } from './subject.ts';

const connections = 8;
const roundMs = 4_000;

interface Route {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export async function gatewayRequests(subject: Subject, cluster: string, rounds: number): Promise<Row> {
  const gateway = await routeTo(subject, cluster);
  const home = clusterHome(platformHome(subject.directory), cluster);
  const direct: Route = { ...gateway, host: '127.0.0.1', port: (await rememberPorts(home)).apiServer };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await rateOf(gateway));
    theirs.push(await rateOf(direct));
  }
  return {
    name: 'gateway-requests',
    unit: 'requests/s',
    ours: median(ours),
    peers: { direct: median(theirs) },
    ratio: median(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN))),
    goal: 'shown',
    met: true,
    rounds: { causeway: ours, direct: theirs },
  };
}

async function routeTo(subject: Subject, cluster: string): Promise<Route> {
  const config = parse(await subject.causeway('kubeconfig', cluster)) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const [{ cluster: there }] = config.clusters;
  const [{ user }] = config.users;
  const { hostname, port } = new URL(there.server ?? '');
  const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();
  return {
    host: hostname,
    port: Number(port),
    servername: there['tls-server-name'] ?? hostname,
    ca: text(there['certificate-authority-data']),
    cert: text(user['client-certificate-data']),
    key: text(user['client-key-data']),
  };
}

async function rateOf(route: Route): Promise<number> {
  const agent = new Agent({ ...route, keepAlive: true, maxSockets: connections });
  let count = 0;
  const end = performance.now() + roundMs;
  const client = async (): Promise<void> => {
    for (; performance.now() < end; count++) await get(agent, route);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return (count * 1000) / (performance.now() - began);
}

const get = (agent: Agent, { host, port }: Route): Promise<void> =>
  new Promise((resolve, reject) => {
    request({ agent, host, port, path: '/api/v1/namespaces/default' }, (response) => {
      response.resume().once('end', resolve);
      if (response.statusCode !== 200) reject(new Error(`the API server answered ${response.statusCode}`));
    })
      .once('error', reject)
      .end();
  });
