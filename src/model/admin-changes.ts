// Which fields that are for admins differ between two states of a document. Pure; values are compared as they are read,
// so order of keys, anchors, quotes and comments do not matter.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Path } from './finding.ts';
import { type Access, accessByType, markOf } from './schema/access.ts';
import { type Kind, schemas } from './schema/index.ts';

type Values = Readonly<Record<string, unknown>>;

/** Undefined is a document that does not exist. */
export const adminChanges = (kind: Kind, before: unknown, after: unknown): Path[] =>
  changes({ schema: schemas[kind], path: [], mark: undefined }, before, after);

/** A place in a document. */
export interface Place {
  readonly schema: z.ZodType;
  readonly path: Path;
  /** For admins where anything at or above it says so, else the nearest mark. */
  readonly mark: Access | undefined;
}

/** The shapes that the model is made of. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
}
const definitionOf = ({ schema }: Place): Definition => schema.def as Definition;

/** With its own mark, and without what only says that it may be absent. Nothing inside of what is for admins is open. */
export function settle({ schema, path, mark: above }: Place): Place {
  const mark = above === 'admin' ? above : (markOf(schema)?.access ?? above);
  const { type, innerType } = schema.def as Definition;
  return type === 'optional' && innerType !== undefined
    ? settle({ schema: innerType, path, mark })
    : { schema, path, mark };
}

export const accessOf = ({ schema, mark }: Place): Access => mark ?? accessByType(schema);

/** Places directly below; the path has `[]` for any entry of a list, and `*` for any key of a map. */
export function placesBelow(place: Place): Place[] {
  const { shape, element, valueType } = definitionOf(place);
  const below = (schema: z.ZodType, step: string): Place =>
    settle({ schema, path: [...place.path, step], mark: place.mark });
  if (shape !== undefined) return Object.entries(shape).map(([name, schema]) => below(schema, name));
  if (element !== undefined) return [below(element, '[]')];
  return valueType === undefined ? [] : [below(valueType, '*')];
}

const holdsAdminFields = (place: Place): boolean => {
  const below = placesBelow(place);
  return below.length === 0 ? accessOf(place) === 'admin' : below.some(holdsAdminFields);
};

/** The largest parts of a document that are for admins as a whole; an empty path is all of it. */
export const adminFields = (kind: Kind): Path[] =>
  adminParts(settle({ schema: schemas[kind], path: [], mark: undefined }));

const adminParts = (place: Place): Path[] => {
  if (isClosed(place)) return [place.path];
  return placesBelow(place).flatMap(adminParts);
};

const isClosed = (place: Place): boolean => {
  const below = placesBelow(place);
  return place.mark === 'admin' || (below.length === 0 ? accessOf(place) === 'admin' : below.every(isClosed));
};

function changes(unsettled: Place, before: unknown, after: unknown): Path[] {
  if (isDeepStrictEqual(before, after)) return [];
  const place = settle(unsettled);
  const { shape, element, valueType } = definitionOf(place);
  if (shape !== undefined && [before, after].every(isOptional(isValues)))
    return withOwn(place, ofFields(place, shape, before as Values | undefined, after as Values | undefined));
  if (valueType !== undefined && [before, after].every(isOptional(isValues)))
    return withOwn(place, ofEntries(place, valueType, before as Values | undefined, after as Values | undefined));
  if (element !== undefined && [before, after].every(isOptional(Array.isArray)))
    return ofList(place, element, (before ?? []) as unknown[], (after ?? []) as unknown[]);
  // Something else than the schema wants is no less than what the schema wants there.
  return holdsAdminFields(place) ? [place.path] : [];
}

/** A block for admins that comes or goes is a change, also where it is empty: it may stand for what is inherited. */
const withOwn = (place: Place, found: Path[]): Path[] =>
  found.length === 0 && place.mark === 'admin' ? [place.path] : found;

function ofFields(place: Place, shape: Record<string, z.ZodType>, before: Values = {}, after: Values = {}): Path[] {
  return keysOf(before, after).flatMap((key) => {
    const [old, now] = [fieldOf(before, key), fieldOf(after, key)];
    // A field that nobody knows: what it would do is not known either, and its name may be anything.
    if (!Object.hasOwn(shape, key)) return isDeepStrictEqual(old, now) ? [] : [place.path];
    return changes({ schema: shape[key] as z.ZodType, path: [...place.path, key], mark: place.mark }, old, now);
  });
}

const ofEntries = (place: Place, schema: z.ZodType, before: Values = {}, after: Values = {}): Path[] =>
  keysOf(before, after).flatMap((key) =>
    changes({ schema, path: [...place.path, key], mark: place.mark }, fieldOf(before, key), fieldOf(after, key)),
  );

/**
 * Entries with a name are the same entry wherever they stand, and another entry under another name: whoever renames one
 * would give its credentials to somebody else. Any other list with something for admins in it is one value.
 */
function ofList(place: Place, element: z.ZodType, before: readonly unknown[], after: readonly unknown[]): Path[] {
  const entry = settle({ schema: element, path: place.path, mark: place.mark });
  const { shape } = definitionOf(entry);
  if (shape === undefined || !Object.hasOwn(shape, 'name')) return holdsAdminFields(entry) ? [place.path] : [];
  const [old, now] = [byEntryName(before), byEntryName(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const at = now.get(key) ?? old.get(key);
    return changes({ ...entry, path: [...place.path, at?.index ?? 0] }, old.get(key)?.value, now.get(key)?.value);
  });
}

function byEntryName(list: readonly unknown[]): Map<string, { readonly index: number; readonly value: unknown }> {
  const found = new Map<string, { readonly index: number; readonly value: unknown }>();
  for (const [index, value] of list.entries()) {
    const name = JSON.stringify(isValues(value) ? (fieldOf(value, 'name') ?? null) : value);
    let nth = 0;
    while (found.has(`${nth} ${name}`)) nth++;
    found.set(`${nth} ${name}`, { index, value });
  }
  return found;
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOptional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value);
const keysOf = (before: Values, after: Values): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];
const fieldOf = (values: Values, key: string): unknown => (Object.hasOwn(values, key) ? values[key] : undefined);
