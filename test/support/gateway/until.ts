import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a fact, and fails with it when it does not come true. */
export async function until(fact: () => boolean | Promise<boolean>, milliseconds = 10_000): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await fact())) {
    if (performance.now() > deadline) throw new Error(`not true after ${milliseconds} ms: ${fact}`);
    await sleep(20);
  }
}
