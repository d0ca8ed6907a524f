/** Does what it is given one after the other, whatever came of the one before. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
