// Whether this machine can have a real worker at all, asked before anything is made.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { inotifyShortage } from '../../../../sys/inotify.ts';
import { isExecutable } from '../../../../sys/is-executable.ts';
import { command, systemPath } from './command.ts';
import { controlGroupRoots } from './control-groups.ts';
import { noControlGroups, noInotify, noNamespaces, notLinux, notRoot, toolMissing } from './errors.ts';

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

export const thisMachine: Machine = { system: process.platform, user: process.getuid?.(), find: findTool };

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
