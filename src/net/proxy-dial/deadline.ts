// Work that may take only so long, and that can be called off.

export class TimedOut extends Error {
  readonly afterMs: number;
  constructor(afterMs: number) {
    super(`no answer within ${afterMs} ms`);
    this.name = 'TimedOut';
    this.afterMs = afterMs;
  }
}

export class CalledOff extends Error {
  constructor() {
    super('called off');
    this.name = 'CalledOff';
  }
}

/** The signal tells the work to clean up; its own promise need not settle after that. */
export function withDeadline<T>(
  afterMs: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: Error): void => {
      own.abort(reason);
      reject(reason);
    };
    const calledOff = (): void => stop(new CalledOff());
    if (parent?.aborted) return calledOff();
    const timer = setTimeout(() => stop(new TimedOut(afterMs)), afterMs);
    parent?.addEventListener('abort', calledOff, { once: true });
    const finish = (): void => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', calledOff);
    };
    work(own.signal).then(resolve, reject).finally(finish);
    own.signal.addEventListener('abort', finish, { once: true });
  });
}
