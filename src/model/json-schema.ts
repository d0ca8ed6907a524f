// JSON Schema of the resources, for editors and for `causeway explain`. Derived, never written by hand.
import { z } from 'zod';
import { lockSchema } from './allocations.ts';
import { type Kind, kinds, schemas } from './schema/index.ts';

/** The part of JSON Schema that the model uses. */
export interface JsonSchema {
  readonly type?: string;
  /** Kind of text or block, as in "network"; where there is one, it is what a person should read as the type. */
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly [key: string]: unknown;
}

const onlyForCrds = 'x-kubernetes-validations';

export const schemaOf = (kind: Kind): JsonSchema => toSchema(schemas[kind]);
export const lockJsonSchema = (): JsonSchema => toSchema(lockSchema);

export function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      const node = jsonSchema as Record<string, unknown>;
      delete node[onlyForCrds];
      dropSafeIntegerBounds(node);
      sayExactlyOneOf(node);
    },
  }) as JsonSchema;
}

/** One schema for every file of a directory: the kind decides which part applies. */
export function editorSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Causeway manifest',
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: { kind: { enum: kinds } },
    allOf: kinds.map(forKind),
  };
}

/** A list of pairs, because an object literal with a key `then` would pass for a promise. */
const forKind = (kind: Kind): JsonSchema =>
  Object.fromEntries<unknown>([
    ['if', { properties: { kind: { const: kind } } }],
    ['then', withoutDialect(schemaOf(kind))],
  ]) as JsonSchema;

/** The rule of `oneOf` in blocks.ts, in the words of JSON Schema. */
function sayExactlyOneOf(schema: Record<string, unknown>): void {
  if (schema.exactlyOneOf === undefined) return;
  schema.oneOf = (schema.exactlyOneOf as string[]).map((key) => ({ required: [key] }));
  delete schema.exactlyOneOf;
}

/** zod bounds every integer by what a double can hold; that says nothing about the field. */
export function dropSafeIntegerBounds(schema: Record<string, unknown>): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return rest;
}
