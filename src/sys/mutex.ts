/** Runs what it is given one at a time, in the order it came, whether or not the one before failed. */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
