// kubectl for a cluster of the running platform: fetched where it is missing, with a kubeconfig of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { kubeconfigIdHeader } from '../../core/lifetimes.ts';
import { needPrograms, progressTo } from '../../programs/index.ts';
import { platformHome } from '../../runtime/local/home.ts';
import { controlClient } from '../control/control-client.ts';
import { kubectlFor } from '../kubectl/prefetch.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { ofKnownCluster } from './cluster-list.ts';

interface Options {
  readonly role: 'admin' | 'viewer';
  readonly ttl: string;
  readonly dir?: string;
}

export async function runKubectl(
  cluster: string,
  args: readonly string[],
  { role, ttl, dir }: Options,
): Promise<number> {
  const directory = platformDirectory(dir);
  const client = controlClient(directory);
  const at = `/api/v1/clusters/${encodeURIComponent(cluster)}`;
  const detail = await ofKnownCluster(client, cluster, () => client.ask('GET', at));
  const wanted = kubectlFor((JSON.parse(detail) as { readonly version: string }).version);
  const { [wanted]: kubectl } = await needPrograms([wanted], { progress: progressTo(process.stderr) });
  // Only now: it is good for so long from here on.
  const { text, headers } = await client.answer('GET', `${at}/kubeconfig?${new URLSearchParams({ role, ttl })}`);
  const revoke = (): Promise<unknown> => client.ask('DELETE', `${at}/kubeconfigs/${headers[kubeconfigIdHeader]}`);
  const env = environment(directory, cluster);
  // One that cannot be revoked now ends by itself.
  return runWithKubeconfig(kubectl as string, args, { text, after: () => revoke().catch(() => {}) }, env);
}

interface Kubeconfig {
  readonly text: string;
  /** When the program has ended. */
  after(): Promise<unknown>;
}

/** kubectl keeps what it learnt by address, and clusters behind one gateway have the same one. */
const environment = (directory: string, cluster: string): NodeJS.ProcessEnv => ({
  KUBECACHEDIR: path.resolve(platformHome(directory).state, 'kubectl', cluster),
  ...process.env,
});

// A program with a kubeconfig that only it sees: in a file for this user alone, which goes when the program ends.

/** They would end us before the file is removed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** The terminal sends these to everything in the foreground, so the program has them already. */
const fromTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/** Standard input, output and signals are the program's; answers its exit code, or ends by the signal that ended it. */
export async function runWithKubeconfig(
  program: string,
  args: readonly string[],
  kubeconfig: Kubeconfig,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  let child: ChildProcess | undefined;
  let early: NodeJS.Signals | undefined;
  const pass = (signal: NodeJS.Signals): void => {
    if (child === undefined) early = signal;
    else if (!(process.stdin.isTTY && fromTerminal.includes(signal))) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  const directory = mkdtempSync(path.join(runtimeDirectory(env), 'causeway-kubectl-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const file = path.join(directory, 'kubeconfig');
    writeFileSync(file, kubeconfig.text, { mode: 0o600 });
    child = spawn(program, args, { stdio: 'inherit', env: { ...env, KUBECONFIG: file } });
    if (early !== undefined) child.kill(early);
    const { code, signal } = await ended(child);
    remove();
    await kubeconfig.after();
    return code ?? endBy(signal ?? 'SIGKILL', remove, pass);
  } finally {
    remove();
    process.off('exit', remove);
    for (const signal of signals) process.off(signal, pass);
  }
}

/** In memory and for this user alone, where the system has such a one. */
const runtimeDirectory = ({ XDG_RUNTIME_DIR: own }: NodeJS.ProcessEnv): string =>
  own !== undefined && existsSync(own) ? own : tmpdir();

const ended = (child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> =>
  new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code, signal) => resolve({ code, signal }));
  });

/** As if there were nobody in between; what cannot be sent to oneself is told by the exit code of shells. */
function endBy(signal: NodeJS.Signals, remove: () => void, pass: (signal: NodeJS.Signals) => void): number {
  remove();
  for (const one of signals) process.off(one, pass);
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}
