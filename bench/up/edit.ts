// From a manifest that is written to the gateway that routes by it: a cluster whose API server is elsewhere is added, and
// connections are opened to it until one is routed.
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { median } from '../gateway/figures.ts';
import type { Row } from '../row.ts';
import type { Subject } from './subject.ts';

const goal = 1_000;

export async function editToRoute(subject: Subject, rounds: number): Promise<Row> {
  const took: number[] = [];
  for (let round = 1; round <= rounds; round++) took.push(await oneEdit(subject, `edit${round}`));
  const ours = median(took);
  return {
    name: 'edit-to-route',
    unit: 'ms',
    ours,
    peers: {},
    ratio: null,
    goal: `< ${goal}`,
    met: ours < goal,
    rounds: { causeway: took },
  };
}

async function oneEdit(subject: Subject, name: string): Promise<number> {
  const elsewhere = await listening();
  const file = subject.at('clusters', `${name}.yaml`);
  try {
    const began = performance.now();
    writeFileSync(file, manifestOf(name, elsewhere.port));
    while (elsewhere.connections() === 0) {
      connectOnce(subject, `${name}.local.bench.example.com`);
      await sleep(5);
    }
    return performance.now() - began;
  } finally {
    rmSync(file);
    elsewhere.server.close();
  }
}

async function listening(): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).destroy();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, port: (server.address() as { port: number }).port, connections: () => connections };
}

function connectOnce({ network }: Subject, servername: string): void {
  const socket = connect({ host: `${network}.0.2`, port: 6443, servername, rejectUnauthorized: false });
  socket.on('error', () => {});
  setTimeout(() => socket.destroy(), 500);
}

const manifestOf = (name: string, port: number): string =>
  `apiVersion: causeway.dev/v1alpha1
kind: Cluster
metadata:
  name: ${name}
spec:
  datacenter: local
  kubernetesVersion: 1.36.3
  controlPlane:
    external:
      apiServer: ['127.0.0.1:${port}']
      konnectivity: ['127.0.0.1:${port}']
`;
