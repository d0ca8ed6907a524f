// Reads the zod schemas as data: which fields exist where, what they are for.
import type { z } from 'zod';
import type { Path } from '../finding.ts';
import { secretRef } from '../schema/blocks.ts';

/** The few shapes that the model uses; anything else has no fields. */
interface Definition {
  readonly type: string;
  readonly shape?: Record<string, z.ZodType>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
}
const definitionOf = (schema: z.ZodType): Definition => {
  const definition = schema.def as Definition;
  return definition.type === 'optional' && definition.innerType !== undefined
    ? definitionOf(definition.innerType)
    : definition;
};

/** Schema of the field at `path`, if there is one. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const step of path) {
    if (at === undefined) return undefined;
    const { shape, element, valueType } = definitionOf(at);
    const field: z.ZodType | undefined = shape !== undefined && Object.hasOwn(shape, step) ? shape[step] : undefined;
    at = field ?? element ?? valueType;
  }
  return at;
}

export const fieldsAt = (schema: z.ZodType, path: Path): readonly string[] => {
  const at = schemaAt(schema, path);
  return at === undefined ? [] : Object.keys(definitionOf(at).shape ?? {});
};

/** Where else a field of this name lies: an indentation slip. The nearest place wins. */
export function fieldElsewhere(schema: z.ZodType, key: string): string | undefined {
  let level: { readonly schema: z.ZodType; readonly path: string }[] = [{ schema, path: '' }];
  for (let depth = 0; depth < 5 && level.length > 0; depth++) {
    const holder = level.find(({ schema: at }) => Object.hasOwn(definitionOf(at).shape ?? {}, key));
    if (holder !== undefined) return `${holder.path}${key}`;
    level = level.flatMap(({ schema: at, path }) =>
      Object.entries(definitionOf(at).shape ?? {}).map(([name, field]) => ({ schema: field, path: `${path}${name}.` })),
    );
  }
  return undefined;
}

export const isSecretReference = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && definitionOf(schema).shape === secretRef.def.shape;

/** Whether a field lies inside a reference to a secret, where people put the secret itself by mistake. */
export const isInsideReference = (schema: z.ZodType, path: Path): boolean =>
  path.some((_, length) => length > 0 && isSecretReference(schemaAt(schema, path.slice(0, length))));

export const purposeOf = (schema: z.ZodType | undefined): string | undefined => schema?.description;
