// JSON Schema as a tree of fields, for `explain` and for the reference pages.
import { CausewayError } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';
import type { JsonSchema } from '../../model/json-schema.ts';

export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Fields of an object, of the entries of a list, or of the values of a map. */
export function fieldsOf(schema: JsonSchema): Field[] {
  const holder = holderOf(schema);
  const required = new Set(holder.required ?? []);
  return Object.entries(holder.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    required: required.has(name),
  }));
}

/** Keys of which exactly one must be set; empty where there is no such rule. */
export const exactlyOneOf = (schema: JsonSchema): string[] =>
  (holderOf(schema).oneOf ?? []).flatMap((choice) => choice.required ?? []);

/** Where the fields are: behind lists, maps and "or null". */
export function holderOf(schema: JsonSchema): JsonSchema {
  if (schema.properties !== undefined) return schema;
  const inner = schema.items ?? mapValueOf(schema) ?? schema.anyOf?.find((choice) => choice.type !== 'null');
  return inner === undefined ? schema : holderOf(inner);
}

export const mapValueOf = (schema: JsonSchema): JsonSchema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;

export interface Found {
  /** As the schema spells it. */
  readonly path: readonly string[];
  readonly field: Field;
}

/** The field that a person means: in any case, with or without `spec.` in front and `[0]` behind. */
export function findField(root: JsonSchema, text: string, kind: string): Found {
  const steps = text
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .filter(Boolean);
  const [first = ''] = steps;
  const inSpec = first !== '' && match(root, first) === undefined && root.properties?.spec !== undefined;
  return walk(root, inSpec ? ['spec', ...steps] : steps, kind);
}

function walk(root: JsonSchema, steps: readonly string[], kind: string): Found {
  let field: Field = { name: kind, schema: root, required: true };
  const path: string[] = [];
  for (const step of steps) {
    const next = match(field.schema, step) ?? keyOfMap(field.schema, step);
    if (next === undefined) throw unknownField(step, path, field.schema, kind);
    path.push(next.name);
    field = next;
  }
  return { path, field };
}

const match = (schema: JsonSchema, step: string): Field | undefined =>
  fieldsOf(schema).find((field) => field.name.toLowerCase() === step.toLowerCase());

/** In a map every name is a field. */
function keyOfMap(schema: JsonSchema, step: string): Field | undefined {
  const value = mapValueOf(schema);
  return value === undefined ? undefined : { name: step, schema: value, required: false };
}

function unknownField(step: string, path: readonly string[], schema: JsonSchema, kind: string): CausewayError {
  const known = fieldsOf(schema).map((field) => field.name);
  const place = [kind, ...path].join('.');
  const guess = nearest(step, known);
  const did = guess === undefined ? '' : `did you mean ${[...path, guess].join('.')}? `;
  return new CausewayError(
    'CW-CLI-FIELD',
    `${place} has no field "${step.slice(0, 80)}"`,
    known.length === 0 ? `${place} is a single value` : `${did}Its fields are ${known.join(', ')}.`,
  );
}
