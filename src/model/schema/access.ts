// Who may change a field through the API. The rule comes by type: a text may name a secret, a file, an endpoint, an
// authority or a login, so it is for admins unless its type or its field says otherwise. A field that is added later and
// forgotten is therefore closed. Numbers, switches and choices are for operators unless marked.
import { z } from 'zod';

export type Access = 'admin' | 'operator';

interface Mark {
  readonly access: Access;
  /** Why it is harmless, where operators may change a text. */
  readonly why?: string;
}

const marks = z.registry<Mark>();
const harmlessTypes = z.registry<{ readonly why: string }>();

/** This field, or all of a block. */
export const forAdmins = <Schema extends z.ZodType>(schema: Schema): Schema => marked(schema, { access: 'admin' });

export const forOperators = <Schema extends z.ZodType>(schema: Schema, why: string): Schema =>
  marked(schema, { access: 'operator', why });

/** A type of text that operators may change, unless it stands in something that is for admins. */
export function harmlessType<Schema extends z.ZodType>(schema: Schema, why: string): Schema {
  const own = schema.clone();
  harmlessTypes.add(own, { why });
  return own;
}

/** A clone, so that the other users of a shared schema keep theirs. */
function marked<Schema extends z.ZodType>(schema: Schema, mark: Mark): Schema {
  const own = schema.clone();
  marks.add(own, mark);
  return own;
}

/** What the schema itself says, if anything. */
export const markOf = (schema: z.ZodType): Mark | undefined => marks.get(schema);

/** For what has neither a mark of its own nor one above it. */
export function accessByType(schema: z.ZodType): Access {
  const isText = !['number', 'boolean', 'enum', 'literal'].includes(schema.def.type);
  return isText && harmlessTypes.get(schema) === undefined ? 'admin' : 'operator';
}
