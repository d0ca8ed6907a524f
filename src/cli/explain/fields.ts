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

// Types as people say them: "network", "list of ports", "NodePort, LoadBalancer or Tunneling".

/** `[]` in front stands for a list of it, `map of` for names that people choose. */
export function typeOf(schema: JsonSchema): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `[]${schema.items === undefined ? 'value' : typeOf(schema.items)}`;
  const value = mapValueOf(schema);
  if (value !== undefined) return `map of ${typeOf(value)}`;
  return [schema.type ?? 'unknown'].flat().map(typeName).join(' or ');
}

const typeName = (type: string): string => typeNames[type] ?? type;

const typeNames: Record<string, string> = {
  string: 'text',
  object: 'block',
  boolean: 'true or false',
  unknown: 'any value',
};

/** The values that are possible, of the field itself or of the entries of a list. */
export const choicesOf = (schema: JsonSchema): string[] =>
  (schema.enum ?? schema.items?.enum ?? []).filter((choice) => choice !== null).map(String);

/** How a value of this type is written. Keyed by the titles of the scalars. */
export const forms: Readonly<Record<string, string>> = {
  name: 'up to 55 lower-case letters, digits and inner hyphens',
  'host name': 'a DNS name, as in api.example.com',
  'host name or IP address': 'a DNS name, or an address as in 10.0.0.1 or 2001:db8::1',
  'IP address': 'an address of either family, as in 10.0.0.1 or 2001:db8::1',
  network: 'address and prefix length without host bits, as in 10.0.0.0/24 or 2001:db8::/64',
  'address range': 'a network (10.0.0.0/24), first and last address (10.0.0.10-10.0.0.20), or one address',
  'host:port': 'as in api.example.com:6443; an IPv6 address goes in brackets',
  URL: 'http:// or https://, without credentials',
  'git URL': 'whatever git clone takes',
  'port range': 'first and last port, as in 30000-32767',
  port: '1 to 65535',
  'catalogue row': 'the id of a requirement, as in LB-3',
  duration: 'numbers with ms, s, m or h, as in 30s or 1h',
  date: 'year, month and day, as in 2027-03-31',
  'Kubernetes version': 'in full and without v, as in 1.36.3',
  'secret reference': 'where the secret is kept, never the secret itself: env, file or secret',
  'CA bundle reference': 'where the PEM certificates are kept: file or configMap',
};

/** What else bounds a value, in words: "at least 1 entry", "1 to 9". */
export function limitsOf(schema: JsonSchema): string {
  if (schema.title !== undefined) return '';
  if (schema.type === 'integer') return between(schema.minimum, schema.maximum, '');
  return schema.type === 'array' ? between(schema.minItems, schema.maxItems, ' entries') : '';
}

function between(least: unknown, most: unknown, unit: string): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}${unit}`;
  if (most !== undefined) return `${least} to ${most}${unit}`;
  return `at least ${least}${least === 1 ? unit.replace('ies', 'y') : unit}`;
}
