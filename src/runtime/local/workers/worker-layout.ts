// Where the worker side of a cluster lives on this machine: an address of its own in 127.0.0.0/8, on which its ports can
// be the usual ones, and a directory with what it knows.
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Server } from 'node:net';
import path from 'node:path';
import { CausewayError } from '../../../core/errors.ts';
import { type HostPort, hostPort } from '../../../core/host-port.ts';
import { isFree } from '../../../net/wire/index.ts';
import { privateDirectory, readPrivate, writePrivate } from '../../../sys/private-files.ts';

export interface WorkerLayout {
  readonly home: string;
  readonly address: string;
  readonly ports: typeof usualPorts;
  readonly files: WorkerFiles;
}

const usualPorts = {
  forwarder: 3128,
  nodeAgent: 6443,
  konnectivityHealth: 8093,
  konnectivityAdmin: 8094,
  kwok: 10_247,
  kubelet: 10_250,
} as const;

interface WorkerFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly token: string;
  readonly konnectivityToken: string;
  readonly tunnelToken: string;
  readonly proxyCredentials: string;
  readonly kubeconfig: string;
  readonly stages: string;
  /** One directory for each pod, as on a node. */
  readonly podLogs: string;
}

/** The same address at every start; another cluster's worker has another one. */
export async function workerLayout(home: string, networks: readonly string[]): Promise<WorkerLayout> {
  privateDirectory(home);
  const address = addressIn(home) ?? (await claimAddress(home, networks));
  return { home, address, ports: usualPorts, files: filesIn(home) };
}

const addressFile = (home: string): string => path.join(home, 'address');
const addressIn = (home: string): string | undefined => readPrivate(addressFile(home))?.trim();

function filesIn(home: string): WorkerFiles {
  const at = (name: string): string => path.join(home, name);
  return {
    ca: at('ca.crt'),
    cert: at('node.crt'),
    key: at('node.key'),
    token: at('node-token'),
    konnectivityToken: at('konnectivity-token'),
    tunnelToken: at('tunnel-token'),
    proxyCredentials: at('proxy-credentials'),
    kubeconfig: at('kubeconfig'),
    stages: at('stages.yaml'),
    podLogs: at('pod-logs'),
  };
}

/** Networks of datacenters that are elsewhere have no address on this machine. */
const elsewhere = '127.40.0.0/24';
const firstHost = 10;
const hosts = 240;

async function claimAddress(home: string, networks: readonly string[]): Promise<string> {
  const network = networks.find((each) => each.startsWith('127.') && each.endsWith('/24')) ?? elsewhere;
  const [a, b, c] = network.split('.');
  // Not all from the first one on: then two platforms on one machine seldom meet.
  const start = Number.parseInt(hash('sha256', home).slice(0, 6), 16);
  for (let step = 0; step < hosts; step++) {
    const address = `${a}.${b}.${c}.${firstHost + ((start + step) % hosts)}`;
    // Looked at last: another worker may have chosen it meanwhile.
    if (!(await allFree(address)) || neighbours(home).includes(address)) continue;
    writePrivate(addressFile(home), `${address}\n`);
    return address;
  }
  throw new CausewayError(
    'CW-WORKER-ADDRESS',
    `every address of ${network} is used by other programs`,
    'stop other platforms on this machine, or give the datacenter another network of 127.0.0.0/8',
  );
}

/** Addresses of the platform's other workers, whether they run or not. */
const neighbours = (home: string): (string | undefined)[] =>
  readdirSync(path.dirname(home)).map((name) => addressIn(path.join(path.dirname(home), name)));

const allFree = async (address: string): Promise<boolean> =>
  (await Promise.all(Object.values(usualPorts).map((port) => isFree({ host: address, port })))).every(Boolean);

/** Rejects with what a person can do about it. */
export const listening = (server: Server, { host, port }: HostPort): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(explained(hostPort(host, port), error));
    server.once('error', failed).listen({ host, port }, () => {
      server.off('error', failed);
      resolve();
    });
  });

const explained = (where: string, { code, message }: NodeJS.ErrnoException): CausewayError =>
  new CausewayError(
    'CW-WORKER-LISTEN',
    code === 'EADDRINUSE' ? `another program listens on ${where}` : `cannot listen on ${where} (${code ?? message})`,
    'stop the program that uses this address, or write another one into the manifests',
  );
