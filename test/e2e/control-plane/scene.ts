// One managed cluster of real programs, without gateway and workers.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { ManagedClusterOptions } from '../../../src/control-plane/managed-cluster.ts';
import {
  createSupervisor,
  localCluster,
  type Supervisor,
  type SupervisorOptions,
} from '../../../src/runtime/local/index.ts';
import { rememberPorts } from '../../../src/runtime/local/ports.ts';
import { homeIn, type LocalInput, localInput } from '../../../src/runtime/local/testing/place.ts';
import { silentLog } from '../../../src/sys/log.ts';
import type { UndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { type ReconciledCluster, reconciledCluster } from '../../support/kubernetes/reconciled-cluster.ts';
import { needReal } from '../../support/real-programs.ts';

export const needControlPlane = (t: TestContext) =>
  needReal(
    t,
    'etcd',
    'etcdctl',
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    'konnectivity-server',
    'konnectivity-agent',
    'kubectl',
  );
export type RealPrograms = NonNullable<Awaited<ReturnType<typeof needControlPlane>>>;

export interface Scene {
  readonly directory: string;
  readonly driver: Supervisor;
  readonly cluster: ReconciledCluster;
  readonly input: LocalInput;
  /** https://127.0.0.1:port, past every gateway. */
  readonly server: string;
}

export async function startScene(
  undo: UndoList,
  options: Partial<ManagedClusterOptions> = {},
  changes: Partial<LocalInput> = {},
  ofDriver: Partial<SupervisorOptions> = {},
): Promise<Scene> {
  const directory = mkdtempSync(path.join(tmpdir(), 'cw-'));
  undo.after(() => rmSync(directory, { recursive: true, force: true }));
  const driver = createSupervisor({ directory: path.join(directory, 'state'), log: silentLog, ...ofDriver });
  undo.after(() => driver.stop());
  const home = homeIn(directory);
  const input = localInput(home, { ports: await rememberPorts(home), ...changes });
  const cluster = reconciledCluster({ driver, runtime: localCluster(input), ...options });
  undo.after(() => cluster.stop());
  await cluster.reconcile(input);
  await ready(cluster);
  return { directory, driver, cluster, input, server: `https://127.0.0.1:${input.ports.apiServer}` };
}

export async function ready(cluster: ReconciledCluster): Promise<void> {
  try {
    await until(() => cluster.isReady(), 90_000);
  } catch {
    throw new Error(`not ready: ${JSON.stringify(cluster.observe())}`);
  }
}

export interface Kubectl {
  (...args: string[]): Promise<string>;
  readonly kubeconfig: string;
}

const runFile = promisify(execFile);
let configs = 0;

/** kubectl with this kubeconfig; input is what follows `-f -`. */
export function kubectlWith(program: string, directory: string, kubeconfig: string, input?: string): Kubectl {
  const file = path.join(directory, `kubeconfig-${++configs}`);
  writeFileSync(file, kubeconfig);
  const common = ['--kubeconfig', file, '--cache-dir', path.join(directory, 'cache'), '--request-timeout=30s'];
  const once = async (...args: string[]): Promise<string> => {
    const running = runFile(program, [...common, ...args]);
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  return Object.assign(once, { kubeconfig: file });
}
