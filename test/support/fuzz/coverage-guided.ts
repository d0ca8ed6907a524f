// A fuzzer that keeps what reaches something new: an input that runs a branch for the first time, or in another order of
// magnitude of times, is changed further. The same seed tries the same inputs.
import { type Chance, newChance } from './chance.ts';
import { mutated } from './mutate.ts';

export interface FuzzInput {
  /** Throws where a promise is broken. */
  readonly target: (input: Buffer) => void;
  readonly seeds: readonly Buffer[];
  /** Texts that are put into inputs. */
  readonly words: readonly string[];
  /** One byte per branch, counted by the target. */
  readonly hits: Uint8Array;
  readonly runs: number;
  /** Longer inputs are cut. */
  readonly longest: number;
  /** Told before each run. */
  begins(input: Buffer): void;
}

export interface FuzzResult {
  readonly runs: number;
  /** Branches that some input ran. */
  readonly reached: number;
  /** Inputs that were kept. */
  readonly corpus: number;
  readonly failure?: { readonly input: Buffer; readonly error: unknown };
}

export function fuzz(options: FuzzInput): FuzzResult {
  const { target, seeds, hits, runs } = options;
  const chance = newChance();
  const seen = new Uint8Array(hits.length);
  const corpus: Buffer[] = [];
  const result = (done: number, failure?: FuzzResult['failure']): FuzzResult => ({
    runs: done,
    reached: seen.reduce((sum, magnitudes) => sum + (magnitudes === 0 ? 0 : 1), 0),
    corpus: corpus.length,
    ...(failure && { failure }),
  });
  for (let run = 0; run < runs; run++) {
    const input = seeds[run] ?? nextInput(corpus, options, chance);
    hits.fill(0);
    options.begins(input);
    try {
      target(input);
    } catch (error) {
      return result(run, { input: Buffer.from(input), error });
    }
    if (isNew(hits, seen) || run < seeds.length) corpus.push(Buffer.from(input));
  }
  return result(runs);
}

/** How many of the newest are preferred: what is behind a new branch is most likely to lead to the next one. */
const newest = 24;

function nextInput(corpus: readonly Buffer[], { words, longest }: FuzzInput, chance: Chance): Buffer {
  const recent = chance.below(2) === 0 ? Math.min(newest, corpus.length) : corpus.length;
  const parent = corpus[corpus.length - 1 - chance.below(recent)] as Buffer;
  const changed = chance.below(3) === 0 ? withWord(parent, words, chance) : parent;
  const crossed = chance.below(16) === 0 ? crossing(changed, chance.one(corpus), chance) : changed;
  return mutated(crossed, chance).subarray(0, longest);
}

function withWord(input: Buffer, words: readonly string[], chance: Chance): Buffer {
  if (words.length === 0) return input;
  const word = Buffer.from(chance.one(words));
  const at = chance.below(input.length + 1);
  const over = chance.below(2) === 0 ? word.length : 0;
  return Buffer.concat([input.subarray(0, at), word, input.subarray(Math.min(at + over, input.length))]);
}

const crossing = (one: Buffer, other: Buffer, chance: Chance): Buffer =>
  Buffer.concat([one.subarray(0, chance.below(one.length + 1)), other.subarray(chance.below(other.length + 1))]);

/** Notes what was hit; true when something of it is new. */
function isNew(hits: Uint8Array, seen: Uint8Array): boolean {
  let found = false;
  for (let branch = 0; branch < hits.length; branch++) {
    const times = hits[branch] as number;
    if (times === 0) continue;
    // Once, 2 to 3 times, 4 to 7 …
    const magnitude = 1 << (31 - Math.clz32(times));
    if (((seen[branch] as number) & magnitude) !== 0) continue;
    seen[branch] = (seen[branch] as number) | magnitude;
    found = true;
  }
  return found;
}
