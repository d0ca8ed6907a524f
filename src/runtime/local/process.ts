// A process of a component, whether we started it or found it running: it leads a session of its own, so that it neither
// ends with our terminal nor with us.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, readFacts, startTime, tasksOf } from './procfs.ts';

export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** An open file for what it says. */
  readonly output: number;
}

export class Child {
  readonly pid: number;
  readonly #startedAt: number;
  /** How it ended, when it has. */
  ending: string | undefined;
  readonly ended: Promise<void>;

  constructor(pid: number, startTicks: number, ended: Promise<string>) {
    this.pid = pid;
    this.#startedAt = startTime(startTicks);
    this.ended = ended.then((ending) => {
      this.ending = ending;
      // Whatever it started itself goes with it.
      this.signal('SIGKILL');
    });
  }

  get ageMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** To it and to what it started. */
  signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // Nobody is left.
    }
  }

  async end(withinMs: number): Promise<void> {
    this.signal('SIGTERM');
    this.signal('SIGCONT');
    const killTimer = setTimeout(() => this.signal('SIGKILL'), withinMs);
    await this.ended;
    clearTimeout(killTimer);
  }

  /** Whether it stands still, in all its threads; if not, it goes on. */
  async pause(withinMs: number): Promise<boolean> {
    this.signal('SIGSTOP');
    const deadline = performance.now() + withinMs;
    while (!this.#standsStill()) {
      if (this.ending !== undefined || performance.now() > deadline) {
        this.resume();
        return false;
      }
      await sleep(1);
    }
    return true;
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  #standsStill(): boolean {
    return tasksOf(this.pid).every((task) => 'TtZX'.includes(readFacts(this.pid, task)?.state ?? 'X'));
  }
}

/** Fails with what the system says when the program cannot be run. */
export async function startChild({ file, args, env, directory, output }: Start): Promise<Child> {
  const child = spawn(file, args, { detached: true, cwd: directory, env, stdio: ['ignore', output, output] });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
  });
  await once(child, 'spawn');
  const pid = child.pid as number;
  return new Child(pid, readFacts(pid)?.startTicks ?? 0, ended);
}

const pollMs = 200;

/** A process that somebody before us started: nobody tells us when it ends, so we look. */
export function adoptChild(pid: number, startTicks: number): Child {
  const ended = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid, startTicks)) return;
      clearInterval(timer);
      resolve('ended');
    }, pollMs).unref();
  });
  return new Child(pid, startTicks, ended);
}
