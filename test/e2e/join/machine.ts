// A machine that somebody brings: a network of its own behind the firewall of the plan, containerd, and the programs that
// a person has installed. Nothing of it knows the platform.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Plan } from '../../../src/plan/schema/index.ts';
import type { Planned } from '../../../src/platform/cluster/cluster-input.ts';
import { platformHome } from '../../../src/runtime/local/home.ts';
import { createSupervisor } from '../../../src/runtime/local/index.ts';
import { hostsFile } from '../../../src/runtime/local/workers/real/addresses.ts';
import { containerd } from '../../../src/runtime/local/workers/real/containerd.ts';
import { dockerImage } from '../../../src/runtime/local/workers/real/images.ts';
import { pauseImageFile } from '../../../src/runtime/local/workers/real/kubelet.ts';
import { type Layout, layoutOf, onWorker } from '../../../src/runtime/local/workers/real/layout.ts';
import { needInotify, needTools } from '../../../src/runtime/local/workers/real/machine.ts';
import { getPrograms, type WorkerParts } from '../../../src/runtime/local/workers/real/parts.ts';
import { prepare } from '../../../src/runtime/local/workers/real/prepare.ts';
import { release } from '../../../src/runtime/local/workers/real/registry.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { copyAgentProgram } from '../../support/agent/program.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { temporaryDirectory } from '../gateway/world.ts';

const run = promisify(execFile);

export interface Machine {
  readonly layout: Layout;
  /** Of the test, seen by the machine as well. */
  readonly directory: string;
  /** As root on the machine; rejects with what was said. */
  run(...command: string[]): Promise<string>;
  importImage(name: string, program: string): Promise<void>;
  /** Its names, as DNS would tell them. */
  knowNames(): void;
}

export async function createMachine(
  t: Undo,
  { planned, cluster, kubeadm }: { readonly planned: Planned; readonly cluster: string; readonly kubeadm: string },
): Promise<Machine> {
  const directory = temporaryDirectory(t, 'machine');
  const home = platformHome(path.join(directory, 'machine'));
  const layout = layoutOf(home, cluster);
  const endpoint = planned.plan.endpoints[cluster] as Plan['endpoints'][string];
  const pods = planned.plan.settings.clusters[cluster]?.['network.pods']?.value;
  const input = { cluster, planned, endpoint, pods } as WorkerParts['input'];
  const programs = await getPrograms('1.36.3');
  needInotify();
  mkdirSync(tokenPlace, { recursive: true });
  t.after(() => removeIfEmpty(tokenPlace));
  t.after(() => release(layout));
  const addresses = await prepare(layout, input, silentLog);
  const driver = createSupervisor({ directory: home.state, log: silentLog });
  t.after(() => driver.stop());
  const parts = { layout, input, addresses, programs, tools: needTools(), secrets: {} } as WorkerParts;
  driver.apply('worker/own', [{ ...containerd(parts), scope: 'worker/own' }]);

  const bin = path.join(directory, 'bin');
  mkdirSync(bin);
  for (const program of [kubeadm, programs.kubelet]) symlinkSync(program, path.join(bin, path.basename(program)));
  symlinkSync(fileURLToPath(new URL('systemctl', import.meta.url)), path.join(bin, 'systemctl'));
  const [nsenter = '', ...entering] = onWorker(layout);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}:/usr/sbin:/sbin` };
  const onMachine = (...command: string[]): Promise<string> =>
    run(nsenter, [...entering, ...command], { env }).then(
      ({ stdout, stderr }) => stdout + stderr,
      ({ stdout, stderr }) => Promise.reject(new Error(`${stdout}${stderr}`)),
    );
  const etc = await ownFiles(directory, onMachine);
  writeKubelet(etc, programs.kubelet, addresses.node);
  const ctr = [
    programs.ctr,
    '--address',
    '/run/containerd/containerd.sock',
    '--namespace',
    'k8s.io',
    'images',
    'import',
  ];
  let why = '';
  const imported = (): Promise<boolean> =>
    onMachine(...ctr, pauseImageFile(layout.root)).then(
      () => true,
      (error: Error) => {
        why = error.message;
        return false;
      },
    );
  await until(imported, 60_000).catch(async () => {
    const log = await driver.tail({ scope: 'worker/own', name: 'containerd' }, 20);
    throw new Error(`containerd takes no image: ${why}\n${log.join('\n')}`);
  });
  return {
    layout,
    directory,
    run: onMachine,
    async importImage(name, program) {
      const file = path.join(directory, 'image.tar');
      writeFileSync(file, dockerImage({ name, program: readFileSync(program) }));
      await onMachine(...ctr, file);
    },
    knowNames: () => writeFileSync(path.join(etc, 'hosts'), hostsFile(endpoint, planned.plan)),
  };
}

/** Of this machine, covered by the one of the test. */
const tokenPlace = '/var/lib/causeway';

function removeIfEmpty(directory: string): void {
  if (readdirSync(directory).length === 0) rmdirSync(directory);
}

/** Whatever is written there is the machine's own. */
async function ownFiles(directory: string, onMachine: Machine['run']): Promise<string> {
  const etc = path.join(directory, 'etc');
  cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true });
  for (const file of ['hosts', 'resolv.conf']) writeFileSync(path.join(etc, file), '127.0.0.1 localhost\n');
  const own: Record<string, string> = { '/etc': etc };
  for (const place of ['/opt', '/var/cache', tokenPlace]) {
    const directoryOf = path.join(directory, path.basename(place));
    mkdirSync(directoryOf);
    own[place] = directoryOf;
  }
  installProgram(own);
  for (const [place, source] of Object.entries(own)) await onMachine('mount', '--bind', source, place);
  return etc;
}

/** What the guide has brought there, and a Node where a start has fetched one: everybody may read both. */
function installProgram(own: Readonly<Record<string, string>>): void {
  copyAgentProgram(path.join(own['/opt'] ?? '', 'causeway'));
  const home = path.join(own['/var/cache'] ?? '', `causeway/node-24-${process.platform}-${process.arch}`, 'bin');
  mkdirSync(home, { recursive: true });
  copyFileSync(process.execPath, path.join(home, 'node'));
}

/** As the packages of Kubernetes have it, but on a machine that is shared with everybody. */
function writeKubelet(etc: string, program: string, address: string): void {
  const units = path.join(etc, 'systemd/system');
  mkdirSync(units, { recursive: true });
  const flags = [
    '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
    '--kubeconfig=/etc/kubernetes/kubelet.conf',
  ];
  const words = [
    program,
    ...flags,
    '--config=/var/lib/kubelet/config.yaml',
    '$KUBELET_KUBEADM_ARGS',
    `--node-ip=${address}`,
  ];
  const lines = [
    '[Service]',
    'EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env',
    `ExecStart=${words.join(' ')}`,
    '',
  ];
  writeFileSync(path.join(units, 'kubelet.service'), lines.join('\n'));
}
