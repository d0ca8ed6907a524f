/** What has to be undone, as a test context collects it. */
export interface Undo {
  after(undo: () => unknown): void;
}

export interface UndoList extends Undo {
  run(): Promise<void>;
}

/** For what several tests share: hooks registered inside a hook would run at the hook's own end. */
export function createUndoList(): UndoList {
  const all: (() => unknown)[] = [];
  return {
    after: (undo) => void all.push(undo),
    run: async () => {
      for (let undo = all.pop(); undo !== undefined; undo = all.pop()) await undo();
    },
  };
}

/** Backwards, as it was done: whoever uses something ends before it goes. */
export function undoAfter(t: Undo): UndoList {
  const list = createUndoList();
  t.after(() => list.run());
  return list;
}
