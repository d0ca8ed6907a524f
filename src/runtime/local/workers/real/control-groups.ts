// The control group that all pods of the worker are below: made before the kubelet starts, and emptied by force, because
// containers outlive everybody who started them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { noControlGroups } from './machine.ts';

/** One hierarchy per controller (version 1), or one for all (version 2). */
export function controlGroupRoots(mounts = readFileSync('/proc/self/mounts', 'utf8')): string[] {
  const versionOne = mountedAs('cgroup', mounts);
  return versionOne.length > 0 ? versionOne : mountedAs('cgroup2', mounts);
}

const mountedAs = (wanted: string, mounts: string): string[] =>
  mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , type]) => type === wanted)
    .map(([, root = '']) => root);

/** Where version 1 is used, runc makes groups in an empty hierarchy of version 2 as well. */
export function allControlGroupRoots(): string[] {
  const mounts = readFileSync('/proc/self/mounts', 'utf8');
  return [...mountedAs('cgroup', mounts), ...mountedAs('cgroup2', mounts)];
}

export function createControlGroup(name: string): void {
  try {
    for (const root of controlGroupRoots()) {
      handDownControllers(root);
      mkdirSync(path.join(root, name), { recursive: true });
    }
  } catch (error) {
    throw noControlGroups((error as Error).message);
  }
}

/** Version 2 has controllers below the root only where they are asked for. */
function handDownControllers(root: string): void {
  const file = path.join(root, 'cgroup.subtree_control');
  if (!existsSync(file)) return;
  const offered = readFileSync(path.join(root, 'cgroup.controllers'), 'utf8').trim().split(' ');
  writeFileSync(file, offered.map((controller) => `+${controller}`).join(' '));
}

/** Every process in it and below it. */
export const controlGroupProcesses = (name: string): number[] => [
  ...new Set(directories(name).flatMap((directory) => processesIn(path.join(directory, 'cgroup.procs')))),
];

export function removeControlGroup(name: string): void {
  for (const directory of directories(name)) rmdirSync(directory);
}

/** The innermost first. */
const directories = (name: string): string[] =>
  allControlGroupRoots()
    .map((root) => path.join(root, name))
    .filter(existsSync)
    .flatMap(withBelow);

const withBelow = (directory: string): string[] => [
  ...readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => withBelow(path.join(directory, name))),
  directory,
];

const processesIn = (file: string): number[] => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
