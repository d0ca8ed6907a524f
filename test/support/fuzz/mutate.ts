// Real inputs with something wrong in them, which get further than noise.
import type { Chance } from './chance.ts';

const odd = [0, 1, 2, 3, 5, 22, 32, 46, 58, 64, 127, 128, 255];
/** Results are written here, over and over. */
const memory = Buffer.alloc(64 * 1024);

type Mutation = (length: number, chance: Chance) => number;

const mutations: readonly Mutation[] = [
  (length, chance) => put(length, chance, (old) => old ^ (1 << chance.below(8))),
  (length, chance) => put(length, chance, () => chance.one(odd)),
  (length, chance) => put(length, chance, () => chance.below(256)),
  (length, chance) => put(length, chance, (old) => old + 1),
  (length, chance) => put(length, chance, (old) => old - 1),
  (length, chance) => chance.below(length + 1),
  cutOut,
  repeat,
  // Most lengths have two bytes.
  (length, chance) => {
    if (length > 2)
      memory.writeUInt16BE(chance.one([0, 1, 255, 256, 16_384, 65_535, length]), chance.below(length - 1));
    return length;
  },
];

function put(length: number, chance: Chance, change: (old: number) => number): number {
  if (length === 0) return 0;
  const at = chance.below(length);
  memory[at] = change(memory[at] ?? 0);
  return length;
}

function cutOut(length: number, chance: Chance): number {
  if (length === 0) return 0;
  const at = chance.below(length);
  const size = Math.min(chance.below(40), length - at);
  memory.copyWithin(at, at + size, length);
  return length - size;
}

function repeat(length: number, chance: Chance): number {
  if (length === 0) return 0;
  const at = chance.below(length);
  const size = Math.min(chance.below(40), length - at, memory.length - length);
  memory.copyWithin(at + size, at, length);
  return length + size;
}

/** Valid until the next call. */
export function mutated(input: Buffer, chance: Chance): Buffer {
  let length = input.copy(memory, 0, 0, memory.length - 4096);
  for (let i = chance.below(4); i >= 0; i--) length = chance.one(mutations)(length, chance);
  return memory.subarray(0, length);
}

export function noise(chance: Chance): Buffer {
  const length = chance.below(64);
  for (let i = 0; i < length; i++) memory[i] = chance.below(256);
  return memory.subarray(0, length);
}
