// A platform with one field of one document changed, for every field that the schemas have.
import { isDeepStrictEqual } from 'node:util';
import { type Kind, type Model, type Resource, schemas } from '../../model/schema/index.ts';
import { type Field, fieldsOf, otherValue, textOf, valueAt, withValue } from '../../model/testing/field-values.ts';

export interface FieldChange {
  /** As in `Cluster spec.network.cni`. */
  readonly name: string;
  readonly model: Model;
}

export const kinds = Object.keys(schemas) as Kind[];

/** The first document of each kind is the one that changes. */
export const fieldChanges = (model: Model, kind: Kind): FieldChange[] =>
  fieldsOf(kind).map((field) => {
    const [name, first] = [`${kind} ${textOf(field)}`, firstOf(model, kind)];
    const document = valid(kind, changed(first, field), field);
    if (isDeepStrictEqual(document, first)) throw new Error(`${name} has not changed`);
    return { name, model: replaced(model, kind, document) };
  });

const lists = { Seed: 'seeds', Datacenter: 'datacenters', Cluster: 'clusters', AddressPool: 'pools' } as const;

const firstOf = (model: Model, kind: Kind): Resource =>
  kind === 'Platform' ? model.platform : (model[lists[kind]][0] as Resource);

const replaced = (model: Model, kind: Kind, document: Resource): Model =>
  kind === 'Platform'
    ? { ...model, platform: document as Model['platform'] }
    : { ...model, [lists[kind]]: (model[lists[kind]] as readonly Resource[]).with(0, document) };

const changed = (document: Resource, field: Field): Resource =>
  withValue(document, field.path, otherValue(field, valueAt(document, field.path)));

const rounds = 8;

/** Adds what the changed field needs beside it, and takes away what cannot stand beside it. */
function valid(kind: Kind, document: Resource, field: Field): Resource {
  let now = document;
  for (let round = 0; round < rounds; round++) {
    const { error } = schemas[kind].safeParse(now);
    if (error === undefined) return now;
    for (const { code, path } of error.issues) {
      const steps = path.map((step) => (typeof step === 'number' ? '[]' : String(step)));
      now = code === 'custom' ? onlyBranch(now, steps, field) : withRequired(now, kind, steps);
    }
  }
  throw new Error(`no valid ${kind} is known with another ${textOf(field)}`);
}

/** "Exactly one of" these: the one that the field is in. */
function onlyBranch(document: Resource, at: readonly string[], { path }: Field): Resource {
  const kept = at.every((step, i) => step === path[i])
    ? path[at.length]
    : Object.keys(Object(valueAt(document, at)))[0];
  if (kept === undefined) return document;
  return withValue(document, at, { [kept]: valueAt(document, [...at, kept]) });
}

function withRequired(document: Resource, kind: Kind, at: readonly string[]): Resource {
  const missing = fieldsOf(kind).find(({ path }) => at.every((step, i) => step === path[i]));
  return missing === undefined || valueAt(document, at) !== undefined
    ? document
    : withValue(document, missing.path, otherValue(missing, undefined));
}
