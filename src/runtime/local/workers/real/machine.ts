// Whether this machine can have a real worker at all, asked before anything is made.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../../../core/errors.ts';
import { inotifyShortage } from '../../../../sys/inotify.ts';
import { isExecutable } from '../../../../sys/is-executable.ts';
import { controlGroupRoots } from './control-groups.ts';

/** Programs of the system, and the Debian packages that bring them. */
const tools = {
  ip: 'iproute2',
  bash: 'bash',
  nft: 'nftables',
  mount: 'mount',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  runc: 'runc',
} as const;

export type Tool = keyof typeof tools;

export interface Machine {
  readonly system: NodeJS.Platform;
  readonly user: number | undefined;
  readonly find: (tool: string) => string | undefined;
}

const thisMachine: Machine = { system: process.platform, user: process.getuid?.(), find: findTool };

/** Throws what a person must change, the most basic first. Answers where the tools are. */
export function needTools({ system, user, find }: Machine = thisMachine): Record<Tool, string> {
  if (system !== 'linux') throw notLinux(system);
  if (user !== 0) throw notRoot();
  const found = Object.entries(tools).map(([tool, debianPackage]) => {
    const file = find(tool);
    if (file === undefined) throw toolMissing(tool, debianPackage);
    return [tool, file];
  });
  return Object.fromEntries(found) as Record<Tool, string>;
}

function findTool(tool: string): string | undefined {
  const directories = systemPath.split(path.delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => path.join(directory, tool)).find(isExecutable);
}

/** What the kernel, or the container that we are in, does not let us do. */
export async function needKernel(): Promise<void> {
  if (controlGroupRoots().length === 0) throw noControlGroups('nothing is mounted below /sys/fs/cgroup');
  if (!existsSync('/dev/kmsg')) throw noControlGroups('there is no /dev/kmsg, which the kubelet reads');
  await command('unshare', ['--net', '--mount', 'true']).catch((error: Error) => {
    throw noNamespaces(error.message);
  });
}

/** As counted: kubelet 6, containerd 2, kube-proxy 1. Without them containerd has no socket, and only its log says why. */
const inotifyOfWorker = 9;

/** Asked before a worker is started: one that runs has its own already. */
export function needInotify(): void {
  const shortage = inotifyShortage(inotifyOfWorker);
  if (shortage !== undefined) throw noInotify(shortage);
}

// Why there can be no real worker on this machine, in words for people.

const cannot = (code: string, message: string, fix: string): CausewayError =>
  new CausewayError(`CW-REAL-${code}`, `a real worker cannot run here: ${message}`, fix);

const demo = 'or go on with the demo workers, which need none of this';

const notLinux = (system: string): CausewayError =>
  cannot('SYSTEM', `it needs Linux, and this is ${system}`, `use a Linux machine, ${demo}`);

const notRoot = (): CausewayError =>
  cannot('ROOT', 'network namespaces, mounts and control groups need root', `start causeway as root (sudo), ${demo}`);

const toolMissing = (tool: string, debianPackage: string): CausewayError =>
  cannot('PROGRAM', `there is no program "${tool}"`, `apt-get install ${debianPackage}, ${demo}`);

const noNamespaces = (why: string): CausewayError =>
  cannot(
    'NAMESPACE',
    `the system does not let us make a network namespace (${why})`,
    `inside a container give it CAP_SYS_ADMIN and CAP_NET_ADMIN (docker run --privileged), ${demo}`,
  );

export const noControlGroups = (why: string): CausewayError =>
  cannot('CGROUPS', `control groups cannot be used (${why})`, `mount them writable below /sys/fs/cgroup, ${demo}`);

const noInotify = ({ message, fix }: { readonly message: string; readonly fix: string }): CausewayError =>
  cannot('INOTIFY', message, `${fix}, ${demo}`);

export const noAddress = (place: string): CausewayError =>
  cannot(
    'ADDRESS',
    `the plan has no IPv4 address of ${place}`,
    'give it one in the manifests; causeway plan shows places',
  );

export const toolFailed = (program: string, args: readonly string[], said: string): CausewayError =>
  new CausewayError(
    'CW-REAL-TOOL',
    `${[program, ...args].join(' ')} failed: ${said.trim().slice(-500) || 'it said nothing'}`,
    'see what it says; the next start makes the worker anew',
  );

// Programs of the system that are run to their end: ip, nft, mount. What they say when they fail is the message.

/** Daemons and tools for the network live where the PATH of a normal user does not look. */
export const systemPath = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;

/** What it wrote; rejects when it did not end well. */
export async function command(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args, { env: { PATH: systemPath, LC_ALL: 'C' }, stdio: 'pipe' });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  // A program that ends without reading is known by its exit code.
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw toolFailed(program, args, said.stderr || said.stdout);
  return said.stdout;
}

/** For what may be gone already. */
export const tryCommand = (program: string, args: readonly string[]): Promise<unknown> =>
  command(program, args).catch(() => undefined);
