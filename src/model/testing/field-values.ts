// All fields of a kind with who may change them, and values for them: tests about roles are made from the schemas.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { accessOf, type Place, placesBelow, settle } from '../admin-changes.ts';
import type { Access } from '../schema/access.ts';
import { type Kind, schemas } from '../schema/index.ts';

export interface Field {
  /** With `[]` for an entry of a list, and `*` for a key of a map. */
  readonly path: readonly string[];
  readonly access: Access;
  readonly schema: z.ZodType;
}

export const textOf = ({ path }: Pick<Field, 'path'>): string => path.join('.').replaceAll('.[]', '[]');

/** Those that hold a value of their own, and that can be changed at all. */
export const fieldsOf = (kind: Kind): Field[] =>
  leavesBelow(settle({ schema: schemas[kind], path: [], mark: undefined })).filter(
    ({ schema, path }) => schema.def.type !== 'literal' && path.join('.') !== 'metadata.name',
  );

function leavesBelow(place: Place): Field[] {
  const below = placesBelow(place);
  if (below.length > 0) return below.flatMap(leavesBelow);
  return [{ path: place.path as string[], access: accessOf(place), schema: place.schema }];
}

const pem = (kind: string, start: string, filled: string, end = ''): string =>
  `-----BEGIN ${kind}-----\n${start}${filled}${end}\n-----END ${kind}-----\n`;
const twice = (value: (letter: string) => string): string[] => ['A', 'B'].map(value);

/** At least two for every type of text and number. */
const candidates: readonly unknown[] = [
  ...['attacker', 'PATH', 'attacker.example.com', 'other.example.com', '203.0.113.66', '203.0.113.67'],
  ...['attacker.example.com:443', 'other.example.com:443', 'https://attacker.example.com', 'http://other.example.com'],
  ...[
    '203.0.113.0/24',
    '198.51.100.0/24',
    '30000-30001',
    '30002-30003',
    '7m',
    '8m',
    '1.30.1',
    '1.31.1',
    '2.30',
    '2.29',
  ],
  ...['2030-01-01', '2031-01-01', 'LB-3', 'LB-4', 'CW-CIDR-OVERLAP', 'CW-REFERENCE'],
  ...twice((letter) => pem('PUBLIC KEY', 'MCowBQYDK2VwAyEA', letter.repeat(43), '=')),
  ...twice((letter) => pem('CERTIFICATE', 'MII', letter.repeat(240))),
  ...[7, 8, 77, 78, 24, 25, 4096, 4097, true, false, {}],
];

/** Another valid value of the field; undefined takes away a block without fields. */
export function otherValue({ schema, path }: Field, now: unknown): unknown {
  const choices = (schema.def as { entries?: Record<string, string> }).entries;
  const found = [...Object.values(choices ?? {}), ...candidates].find(
    (value) => !isDeepStrictEqual(value, now) && schema.safeParse(value).success,
  );
  if (found === undefined && schema.def.type !== 'object')
    throw new Error(`no value is known for ${path.join('.')}: add one to candidates`);
  return found;
}

type Json = Record<string, unknown>;

/** What the document has there now; of a list its first entry. */
export const valueAt = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, step) => (at as Json | undefined)?.[keyOf(step)], document);

/** A copy with this value there; undefined takes it away. Blocks, lists and entries that are missing are made. */
export function withValue<Document>(document: Document, path: readonly string[], value: unknown): Document {
  const copy = structuredClone(document);
  let at = copy as Json;
  for (const [index, step] of path.slice(0, -1).entries()) {
    at[keyOf(step)] ??= path[index + 1] === '[]' ? [] : {};
    at = at[keyOf(step)] as Json;
  }
  const last = keyOf(path.at(-1) ?? '');
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

const keyOf = (step: string): string => (step === '[]' ? '0' : step === '*' ? 'attacker' : step);
