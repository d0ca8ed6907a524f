// One worker, seen from the supervisor: a process that answers questions until it ends.
import { type ChildProcess, fork, type SendHandle } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { leadsSession } from '../../sys/session.ts';
import type { WorkerStatus } from '../engine.ts';
import type { Answer, FromWorker, Notice, Question, ToWorker } from './messages.ts';

const program = fileURLToPath(new URL('./worker-main.ts', import.meta.url));

export interface WorkerEvents {
  notice(worker: WorkerProcess, message: Notice): void;
  exit(worker: WorkerProcess, how: string): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

/** Its first word is the answer to a question that nobody asks. */
const helloId = 0;

export type WorkerState = WorkerStatus['state'];

export class WorkerProcess {
  readonly slot: number;
  readonly startedAt = Date.now();
  readonly #forkedAt = performance.now();
  readonly pid: number;
  state: WorkerState = 'starting';
  /** It said something since somebody last looked. */
  heard = true;
  /** Why it was killed, when it was not the system's doing. */
  killedBecause: string | undefined;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  get ageMs(): number {
    return performance.now() - this.#forkedAt;
  }

  constructor(slot: number, events: WorkerEvents) {
    this.slot = slot;
    this.#child = fork(program, [], {
      execArgv: [],
      detached: leadsSession(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.pid = this.#child.pid ?? 0;
    this.#child.on('message', (message: FromWorker) => {
      this.heard = true;
      if ('id' in message) this.#answered(message);
      else if ('hello' in message) this.#answered({ id: helloId });
      else events.notice(this, message);
    });
    // Writing to a worker that has just died: its exit says the rest.
    this.#child.on('error', () => {});
    this.ended = new Promise((resolve) => {
      // Not its exit: what it said last comes after that.
      this.#child.once('close', (code, signal) => {
        this.#fail(`worker ${this.pid} ended (${signal ?? `exit code ${code}`})`);
        events.exit(this, signal ?? `exit code ${code}`);
        resolve();
      });
    });
  }

  /** What is not answered in time is forgotten. */
  ask(question: Question, withinMs: number, handle?: object): Promise<unknown> {
    if (this.state === 'gone') return Promise.reject(new Error(`worker ${this.pid} has ended`));
    this.#lastId += 1;
    const answer = this.#answerTo(this.#lastId, withinMs);
    this.#send({ id: this.#lastId, question }, handle);
    return answer;
  }

  /** Resolves when it can be asked; to be called at once. */
  async greeted(withinMs: number): Promise<void> {
    await this.#answerTo(helloId, withinMs);
  }

  /** Questions that are neither answered nor given up. */
  get unanswered(): number {
    return this.#waiting.size;
  }

  tell(message: ToWorker): void {
    if (this.state !== 'gone') this.#send(message);
  }

  kill(because?: string): void {
    this.killedBecause ??= because;
    this.#child.kill('SIGKILL');
  }

  #answerTo(id: number, withinMs: number): Promise<unknown> {
    const error = `worker ${this.pid} did not answer within ${withinMs / 1000} s`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#answered({ id, error }), withinMs);
      this.#waiting.set(id, { resolve, reject, timer });
    });
  }

  #send(message: ToWorker, handle?: object): void {
    if (this.#child.connected) this.#child.send(message, handle as SendHandle | undefined, {}, () => {});
  }

  #answered({ id, value, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  #fail(why: string): void {
    this.state = 'gone';
    for (const id of [...this.#waiting.keys()]) this.#answered({ id, error: why });
  }
}
