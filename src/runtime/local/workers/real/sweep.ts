// Takes away whatever is left of a worker, whoever was killed in between: processes first, then what they held.
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { controlGroupProcesses, removeControlGroup } from './control-groups.ts';
import { toolFailed } from './errors.ts';
import { type Layout, namespaceFile } from './layout.ts';
import { removeMounts } from './mounts.ts';
import { removeNetwork } from './network.ts';

export async function sweep(layout: Layout): Promise<void> {
  await endProcesses(layout);
  await removeMounts(layout);
  await removeNetwork(layout);
  removeControlGroup(layout.controlGroup);
  await rm(layout.run, { recursive: true, force: true });
}

const patienceMs = 10_000;

async function endProcesses(layout: Layout): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let left = processesOf(layout); left.length > 0; left = processesOf(layout)) {
    if (Date.now() > deadline) throw toolFailed('kill', ['-9', ...left.map(String)], 'they do not end');
    for (const pid of left) end(pid);
    await sleep(20);
  }
}

/** Those on its network, and those in its pods, which have networks of their own. */
const processesOf = ({ worker, router, controlGroup }: Layout): number[] => [
  ...new Set([...processesOnNetworks([worker, router]), ...controlGroupProcesses(controlGroup)]),
];

function processesOnNetworks(names: readonly string[]): number[] {
  const files = names.map(namespaceFile).filter(existsSync);
  const wanted = new Set(files.map((file) => `net:[${statSync(file).ino}]`));
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && wanted.has(networkOf(pid)));
}

function networkOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // It ended meanwhile.
    return '';
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
