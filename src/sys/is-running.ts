import { readFileSync } from 'node:fs';

/** Whether there is such a process, whoever's it is; one that has ended and waits to be asked how is none. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !hasEnded(pid);
}

/** In containers nobody may ask for a long time. Where the system has no such file, there is nothing to be known. */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return 'ZX'.includes(stat[stat.lastIndexOf(')') + 2] ?? '');
  } catch {
    return false;
  }
}
