// A worker that hangs still has its sockets, and the kernel goes on giving it connections. Workers report every second:
// one that says nothing for long is given up.
import type { WorkerPool } from './worker-pool.ts';
import type { WorkerProcess } from './worker-process.ts';

const lookMs = 1000;
const mostSilentLooks = 10;

/**
 * Silence is counted in our own looks and not in time: while this process is stopped or the machine sleeps there are
 * none, and whatever was said meanwhile is heard before the next one.
 */
export class WorkerLiveness {
  readonly #silent = new WeakMap<WorkerProcess, number>();

  /** Workers that have been silent for too long by now. A worker that starts has its own time limits. */
  look(workers: Iterable<WorkerProcess>): WorkerProcess[] {
    const tooLong: WorkerProcess[] = [];
    for (const worker of workers) {
      if (worker.state !== 'ready' && worker.state !== 'draining') continue;
      const looks = worker.heard ? 0 : (this.#silent.get(worker) ?? 0) + 1;
      worker.heard = false;
      this.#silent.set(worker, looks);
      if (looks >= mostSilentLooks) tooLong.push(worker);
    }
    return tooLong;
  }
}

export function killHungWorkers(pool: WorkerPool): NodeJS.Timeout {
  const silence = new WorkerLiveness();
  const look = (): void => {
    for (const worker of silence.look(pool.alive()))
      worker.kill(`it hung: it said nothing for ${(mostSilentLooks * lookMs) / 1000} s`);
  };
  return setInterval(look, lookMs).unref();
}
