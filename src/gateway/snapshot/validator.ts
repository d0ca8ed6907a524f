// Small checks of JSON values, put together to the shape of a snapshot. Written by hand, because the gateway loads no
// library, and fast, because ten thousand clusters are read on every change: where something stands is put into words
// only when it is wrong.
import { nearest } from '../../core/suggest.ts';

/** The value stands in `parent` under `key`. */
export type Check = (value: unknown, parent: string, key: string, problems: Problems) => void;
/** What is wrong with a text, or nothing. */
export type Word = (text: string) => string | undefined;
export interface Field {
  readonly check: Check;
  readonly required: boolean;
}

export const required = (check: Check): Field => ({ check, required: true });
export const optional = (check: Check): Field => ({ check, required: false });

const at = (parent: string, key: string): string => (parent === '' ? key : `${parent}.${key}`);

/** What a value looks like, without repeating a book. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with these fields and no others. */
export function object(fields: Readonly<Record<string, Field>>): Check {
  const known = new Map(Object.entries(fields));
  const needed = [...known].filter(([, field]) => field.required).map(([key]) => key);
  return (value, parent, key, problems) => {
    const path = at(parent, key);
    if (!isObject(value)) return problems.add(path, `${shown(value)} is not an object`);
    for (const name in value) {
      const field = known.get(name);
      if (field === undefined) problems.add(at(path, name.slice(0, 80)), unknownField(name, known));
      else field.check(value[name], path, name, problems);
    }
    for (const name of needed) if (!Object.hasOwn(value, name)) problems.add(at(path, name), 'is missing');
  };
}

function unknownField(name: string, known: ReadonlyMap<string, Field>): string {
  const meant = name.length > 80 ? undefined : nearest(name, [...known.keys()]);
  const help = meant === undefined ? `known are ${[...known.keys()].join(', ')}` : `did you mean ${meant}?`;
  return `is not a field of a snapshot; ${help}`;
}

export const anyObject: Check = (value, parent, key, problems) => {
  if (!isObject(value)) problems.add(at(parent, key), `${shown(value)} is not an object`);
};

function checkWord(word: Word, value: unknown): string | undefined {
  return typeof value === 'string' ? word(value) : `${shown(value)} is not a text`;
}

export const text =
  (word: Word): Check =>
  (value, parent, key, problems) => {
    const problem = checkWord(word, value);
    if (problem !== undefined) problems.add(at(parent, key), problem);
  };

export const texts =
  (word: Word, most: number): Check =>
  (value, parent, key, problems) => {
    if (!Array.isArray(value)) return problems.add(at(parent, key), `${shown(value)} is not a list`);
    if (value.length > most)
      return problems.add(at(parent, key), `has ${value.length} entries; at most ${most} are allowed`);
    for (let i = 0; i < value.length; i++) {
      const problem = checkWord(word, value[i]);
      if (problem !== undefined) problems.add(`${at(parent, key)}[${i}]`, problem);
    }
  };

/** Objects, or whatever else the check is for. */
export const list =
  (check: Check, most: number): Check =>
  (value, parent, key, problems) => {
    if (!Array.isArray(value)) return problems.add(at(parent, key), `${shown(value)} is not a list`);
    if (value.length > most)
      return problems.add(at(parent, key), `has ${value.length} entries; at most ${most} are allowed`);
    const path = at(parent, key);
    for (let i = 0; i < value.length; i++) check(value[i], '', `${path}[${i}]`, problems);
  };

export const wholeNumber =
  (least: number, most: number): Check =>
  (value, parent, key, problems) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      problems.add(at(parent, key), `${shown(value)} is not a whole number from ${least} to ${most}`);
  };

export const choice =
  (...known: readonly string[]): Check =>
  (value, parent, key, problems) => {
    if (typeof value !== 'string' || !known.includes(value))
      problems.add(at(parent, key), `${shown(value)} is not one of ${known.join(', ')}`);
  };

export const boolean: Check = (value, parent, key, problems) => {
  if (typeof value !== 'boolean') problems.add(at(parent, key), `${shown(value)} is neither true nor false`);
};

/** The same word stands in thousands of clusters: one that was right once need not be looked at again. */
export function remembering(word: Word): Word {
  const right = new Set<string>();
  return (text) => {
    if (right.has(text)) return undefined;
    const problem = word(text);
    if (problem !== undefined) return problem;
    if (right.size >= 10_000) right.clear();
    right.add(text);
    return undefined;
  };
}

// What is wrong with a snapshot, in sentences that start with where it is. A broken generator makes the same mistake
// ten thousand times; a person reads the first few.

const maxShown = 20;

export class Problems {
  readonly #sentences: string[] = [];
  #more = 0;

  add(path: string, sentence: string): void {
    if (this.#sentences.length < maxShown) this.#sentences.push(path === '' ? sentence : `${path}: ${sentence}`);
    else this.#more++;
  }

  get any(): boolean {
    return this.#sentences.length > 0;
  }

  list(): string[] {
    return this.#more === 0 ? [...this.#sentences] : [...this.#sentences, `and ${this.#more} more`];
  }
}
