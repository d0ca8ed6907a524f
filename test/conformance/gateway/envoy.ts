// Real Envoy as an engine for the suite, so that the suite itself is checked.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineOptions, ListenerKind, Listening, Snapshot } from '../../../src/gateway/index.ts';
import { askAdmin } from '../../support/gateway/admin.ts';
import { discovery, envoyBootstrap, envoyClusters, envoyListeners } from './envoy-config.ts';
import type { TestedEngine, TestedGateway } from './subject.ts';

/** Seconds that connections of a removed filter chain may go on; Envoy's own default is ten minutes. */
export const envoyDrainSeconds = 1;

export const envoyEngine = (program: string): TestedEngine => ({
  name: 'Envoy',
  start: (options) => startEnvoy(program, options),
});

async function startEnvoy(program: string, options: EngineOptions): Promise<TestedGateway> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-envoy-'));
  const admin = path.join(directory, 'admin.sock');
  const write = (snapshot: Snapshot): void => writeSnapshot(directory, snapshot, options.addresses);
  write(options.snapshot);
  const child = runEnvoy(program, directory, admin, options.workers);
  const stop = async (): Promise<void> => {
    await ended(child);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    let listening = await settled(child, admin, options.snapshot.version, () => write(options.snapshot));
    return {
      listening: () => listening,
      apply: async (snapshot) => {
        write(snapshot);
        listening = await settled(child, admin, snapshot.version, () => write(snapshot));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function runEnvoy(program: string, directory: string, admin: string, workers: number): ChildProcess {
  const bootstrap = path.join(directory, 'envoy.json');
  writeFileSync(bootstrap, JSON.stringify(envoyBootstrap(directory, admin)));
  const args = ['-c', bootstrap, '--concurrency', String(workers), '--disable-hot-restart', '-l', 'error'];
  return spawn(program, [...args, '--drain-time-s', String(envoyDrainSeconds), '--drain-strategy', 'immediate'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Moved into place: Envoy watches for a move, not for writing. Clusters first, so that no listener lacks one. */
function writeSnapshot(directory: string, snapshot: Snapshot, addresses: readonly string[]): void {
  const aside = path.join(directory, 'aside');
  mkdirSync(aside, { recursive: true });
  const files = {
    'clusters.json': envoyClusters(snapshot),
    'listeners.json': envoyListeners(snapshot, addresses),
  };
  for (const [name, resources] of Object.entries(files)) {
    writeFileSync(path.join(aside, name), discovery(snapshot.version, resources));
    renameSync(path.join(aside, name), path.join(directory, name));
  }
}

/**
 * Waits until Envoy works by this version, then asks where it listens. Envoy misses a move that comes while it reads the
 * one before, so the files are moved again now and then.
 */
async function settled(
  child: ChildProcess,
  admin: string,
  version: string,
  writeAgain: () => void,
): Promise<readonly Listening[]> {
  for (let turn = 1; turn <= 400; turn++) {
    if (turn % 60 === 0) writeAgain();
    if (child.exitCode !== null) throw new Error(`Envoy ended with ${child.exitCode}`);
    const stats = await ask(admin, '/stats?filter=version_text|listeners_warming|clusters.warming').catch(() => '');
    const loaded = stats.split('\n').filter((line) => line.endsWith(`version_text: "${version}"`)).length === 2;
    if (loaded && /total_listeners_warming: 0/.test(stats))
      return listeningOf(await ask(admin, '/listeners?format=json'));
    await sleep(50);
  }
  throw new Error(`Envoy did not take ${version}`);
}

interface ListenerStatus {
  readonly name: string;
  readonly local_address: { readonly socket_address: { readonly address: string; readonly port_value: number } };
}

function listeningOf(answer: string): Listening[] {
  const { listener_statuses = [] } = JSON.parse(answer) as { listener_statuses?: ListenerStatus[] };
  return listener_statuses.map(({ name, local_address: { socket_address } }) => ({
    kind: name.split(' ')[0] as ListenerKind,
    address: socket_address.address,
    wanted: 0,
    port: socket_address.port_value,
  }));
}

const ask = async (socketPath: string, url: string): Promise<string> => (await askAdmin(socketPath, url)).body;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}
