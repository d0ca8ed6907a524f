// A real systemd as the first process of a process namespace of its own, which knows no unit but those it is given.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Undo } from './gateway/undo.ts';
import { until } from './gateway/until.ts';

const run = promisify(execFile);

/** What other units refer to; on a real machine they bring half of the system. */
const targets = ['sysinit', 'basic', 'shutdown', 'network-online', 'multi-user', 'timers'];

export interface Systemd {
  systemctl(...args: string[]): Promise<string>;
  /** As root, where the units are. */
  run(...command: string[]): Promise<string>;
}

export interface SystemdOptions {
  /** Directory of the units. */
  readonly units: string;
  /** A command that runs another one where systemd is to be: nsenter with its arguments. */
  readonly enter?: readonly string[];
}

export async function startSystemd(t: Undo, { units, enter = [] }: SystemdOptions): Promise<Systemd> {
  for (const target of targets) writeFileSync(path.join(units, `${target}.target`), '[Unit]\nDefaultDependencies=no\n');
  const child = boot(enter, units);
  t.after(() => ended(child));
  const inside = async (...command: string[]): Promise<string> => {
    const entering = ['--target', String(firstProcessOf(child)), ...['--mount', '--pid', '--net', '--uts', '--ipc']];
    return (await run('nsenter', [...entering, ...command], { timeout: 20_000 })).stdout.trim();
  };
  const systemctl: Systemd['systemctl'] = (...args) => inside('systemctl', ...args);
  let why = '';
  const isUp = (): Promise<boolean> =>
    systemctl('is-active', 'basic.target').then(Boolean, (error: Error) => {
      why = error.message;
      return false;
    });
  await until(isUp, 90_000).catch(() => Promise.reject(new Error(`systemd did not start: ${why}`)));
  return { systemctl, run: inside };
}

// In a control group of its own, which it takes for the whole of them. What systemd mounts for a unit, as its credentials, is
// seen by the unit where mounts are shared.
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
  mount --make-rshared /
  exec /lib/systemd/systemd --system --unit=basic.target --show-status=false'
`;

function boot(enter: readonly string[], units: string): ChildProcess {
  const [command = '', ...args] = [...enter, 'sh', '-c', script];
  const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, container: 'test', SYSTEMD_UNIT_PATH: units };
  return spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
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
