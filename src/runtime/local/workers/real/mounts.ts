// What the worker sees of this machine's files: everything, but with its own names, logs and state in the places that the
// kubelet and containerd insist on. All of it is in a mount namespace, so nobody else sees any of it.
import { existsSync, rmdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Layout } from './layout.ts';
import { command, tryCommand } from './machine.ts';

/** Directories of the machine that are covered. Where they do not exist they are made, and the last worker removes them. */
const covered = ({ root, run }: Layout): Record<string, string> => ({
  '/var/lib/kubelet': path.join(root, 'kubelet'),
  '/var/lib/cni': path.join(root, 'cni'),
  '/var/log': path.join(root, 'log'),
  '/run/containerd': path.join(run, 'containerd'),
});

/** The kubelet sets these for the whole machine. It finds them as it wants them, and ours stay as they are. */
const kernelSettings: Record<string, number> = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};

export const hasMounts = async ({ mountNamespace }: Layout): Promise<boolean> =>
  existsSync(mountNamespace) && (await tryCommand('nsenter', [`--mount=${mountNamespace}`, 'true'])) !== undefined;

export async function createMounts(layout: Layout): Promise<void> {
  const pairs = [...(await coveredDirectories(layout)), ...(await coveredFiles(layout))];
  const { mountNamespace } = layout;
  const directory = path.dirname(mountNamespace);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // A namespace can only be kept below a mount that shares nothing.
  await command('mount', ['--bind', directory, directory]);
  await command('mount', ['--make-private', directory]);
  await writeFile(mountNamespace, '');
  const bindAll = 'while [ $# -gt 0 ]; do mount --bind "$1" "$2" || exit 1; shift 2; done';
  await command('unshare', [`--mount=${mountNamespace}`, 'sh', '-c', bindAll, 'sh', ...pairs.flat()]);
}

export async function removeMounts(layout: Layout): Promise<void> {
  const { mountNamespace } = layout;
  if (existsSync(mountNamespace)) await tryCommand('umount', [mountNamespace]);
  await tryCommand('umount', ['--lazy', path.dirname(mountNamespace)]);
}

/**
 * Directories of the machine that were made to be covered. Only when no worker is left: the kernel lets go of a mount in
 * another namespace when its directory is removed here, and that worker would lose its files while it runs.
 */
export function removeCovered(layout: Layout): void {
  for (const place of Object.keys(covered(layout))) removeIfEmpty(place);
}

type Pair = readonly [source: string, place: string];

async function coveredDirectories(layout: Layout): Promise<Pair[]> {
  const pairs = Object.entries(covered(layout)).map(([place, source]) => [source, place] as const);
  for (const [source, place] of pairs) {
    await mkdir(source, { recursive: true, mode: 0o700 });
    await mkdir(place, { recursive: true });
  }
  return pairs;
}

/** Names resolve by this file alone: whom the worker could ask for others is beyond the firewall. */
export const writeNames = (layout: Layout, hosts: string): Promise<void> =>
  writeFile(fileFor(layout, '/etc/hosts'), hosts);

/** What it sees in the place of a file of the machine. */
const fileFor = ({ root }: Layout, place: string): string => path.join(root, 'files', place.replaceAll('/', '_'));

async function coveredFiles(layout: Layout): Promise<Pair[]> {
  const texts: Record<string, string> = { '/etc/hosts': '', '/etc/resolv.conf': '' };
  for (const [name, value] of Object.entries(kernelSettings)) texts[`/proc/sys/${name}`] = `${value}\n`;
  await mkdir(path.join(layout.root, 'files'), { recursive: true, mode: 0o700 });
  const pairs: Pair[] = [];
  for (const [place, text] of Object.entries(texts)) {
    const source = fileFor(layout, place);
    await writeFile(source, text, { mode: 0o644 });
    if (existsSync(place)) pairs.push([source, place]);
  }
  return pairs;
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Somebody else's, or never made.
  }
}
