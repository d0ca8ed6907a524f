// Chance that is the same each time, and cheap enough for a million inputs. CAUSEWAY_FUZZ_SEED asks for another one.

export interface Chance {
  /** A whole number below `limit`. */
  below(limit: number): number;
  one<Item>(list: readonly Item[]): Item;
}

export function newChance(seed = Number(process.env.CAUSEWAY_FUZZ_SEED ?? 20_26)): Chance {
  let state = seed | 1;
  // xorshift, by Marsaglia.
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (limit) => next() % limit,
    one: (list) => list[next() % list.length] as never,
  };
}

/** How many inputs: all of them in the full run, some in the quick one. */
export const inputs = process.env.CAUSEWAY_QUICK === '1' ? 50_000 : 1_000_000;
