import { spawnSync } from 'node:child_process';

/** Passes events on, and acts whenever none has come for so long. What it throws ends the waiting. */
export async function* onSilence<T>(
  events: AsyncIterable<T>,
  milliseconds: number,
  act: () => void,
): AsyncGenerator<T> {
  const iterator = events[Symbol.asyncIterator]();
  while (true) {
    const next = await actingUntil(iterator.next(), milliseconds, act);
    if (next.done) return;
    yield next.value;
  }
}

async function actingUntil<T>(coming: Promise<T>, milliseconds: number, act: () => void): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setInterval(() => {
    try {
      act();
    } catch (error) {
      reject(error);
    }
  }, milliseconds);
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearInterval(timer);
  }
}

/** Test files that cannot end themselves any more; the runner then reports them as failed and goes on with the others. */
export function killTestFiles(): void {
  const { status } = spawnSync('pkill', ['-KILL', '-P', String(process.pid)]);
  if (status !== 0) throw new Error('the tests say nothing any more, and no test file is running');
}
