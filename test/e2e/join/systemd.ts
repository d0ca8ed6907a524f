// A real systemd as the first process of a machine's own processes, which knows no unit but those it is given.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { onWorker } from '../../../src/runtime/local/workers/real/layout.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import type { Machine } from './machine.ts';

const run = promisify(execFile);

/** What other units refer to; on a real machine they bring half of the system. */
const targets = ['sysinit', 'basic', 'shutdown', 'network-online', 'multi-user', 'timers'];

export interface Systemd {
  systemctl(...args: string[]): Promise<string>;
}

export interface SystemdOptions {
  /** Files of units, as they are found on the machine. */
  readonly units: readonly string[];
  /** What the programs of a test need, although the units shut it out: all of it is in temporary directories. */
  readonly visible: readonly string[];
}

export async function bootSystemd(t: Undo, machine: Machine, options: SystemdOptions): Promise<Systemd> {
  const units = path.join(machine.directory, 'systemd-units');
  mkdirSync(units);
  for (const target of targets) writeFileSync(path.join(units, `${target}.target`), '[Unit]\nDefaultDependencies=no\n');
  for (const file of options.units) await copyUnit(machine, file, units, options.visible);
  const child = boot(machine, units);
  t.after(() => ended(child));
  const systemctl = async (...args: string[]): Promise<string> => {
    const entering = ['--target', String(firstProcessOf(child)), ...['--mount', '--pid', '--net', '--uts', '--ipc']];
    return (await run('nsenter', [...entering, 'systemctl', ...args], { timeout: 20_000 })).stdout.trim();
  };
  let why = '';
  const isUp = (): Promise<boolean> =>
    systemctl('is-active', 'basic.target').then(Boolean, (error: Error) => {
      why = error.message;
      return false;
    });
  await until(isUp, 90_000).catch(() => Promise.reject(new Error(`systemd did not start: ${why}`)));
  // It has given the machine all of 127.0.0.0/8, where the template has its gateway.
  await machine.run('ip', 'address', 'delete', '127.0.0.1/8', 'dev', 'lo');
  return { systemctl };
}

async function copyUnit(machine: Machine, file: string, units: string, visible: readonly string[]): Promise<void> {
  const name = path.basename(file);
  writeFileSync(path.join(units, name), await machine.run('cat', file));
  if (!name.endsWith('.service')) return;
  mkdirSync(path.join(units, `${name}.d`));
  const lines = [`BindReadOnlyPaths=${visible.join(' ')}`, ...logTo(path.join(units, `${name}.log`))];
  writeFileSync(path.join(units, `${name}.d/test.conf`), ['[Service]', ...lines, ''].join('\n'));
}

/** There is no journal. */
const logTo = (file: string): string[] => [`StandardOutput=append:${file}`, `StandardError=append:${file}`];

// In a control group of its own, which it takes for the whole of them.
const script = `set -eu
groups=$(mktemp -d)
mount -t cgroup2 none "$groups"
mkdir -p "$groups/causeway-test-$$"
echo $$ >"$groups/causeway-test-$$/cgroup.procs"
umount "$groups"
rmdir "$groups"
exec unshare --mount --pid --uts --ipc --cgroup --fork --kill-child=KILL --propagation private sh -c '
  mount -t proc proc /proc
  mount -t tmpfs tmpfs /run
  umount --recursive /sys/fs/cgroup 2>/dev/null || :
  mount -t cgroup2 none /sys/fs/cgroup
  exec /lib/systemd/systemd --system --unit=basic.target --show-status=false'
`;

function boot(machine: Machine, units: string): ChildProcess {
  const [nsenter = '', ...entering] = onWorker(machine.layout);
  const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, container: 'test', SYSTEMD_UNIT_PATH: units };
  return spawn(nsenter, [...entering, 'sh', '-c', script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Number 1 for itself, and this one for us. */
const firstProcessOf = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);

/** With it end all that it started. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await end;
}
