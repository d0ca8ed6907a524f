// One field of a kind, as `kubectl explain` would say it.
import { type JsonSchema, lockJsonSchema, schemaOf, toSchema } from '../../model/json-schema.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { bold } from '../views/style.ts';
import { table } from '../views/table.ts';
import { aboutOf } from './about.ts';
import { defaultsOf, inheritanceOf } from './defaults.ts';
import { facts } from './facts.ts';
import { exactlyOneOf, type Found, fieldsOf, findField } from './fields.ts';
import type { Described } from './subject.ts';
import { choicesOf, forms, limitsOf, typeOf } from './type-words.ts';

const inheriting = ['Platform', 'Seed', 'Datacenter', 'Cluster'];

/** Of a kind alone, the fields of its spec are what somebody wants to know. */
export function explainField(name: Described, field: string): string {
  const schema = schemaFor(name);
  return fieldText(name, findField(schema, field === '' && 'spec' in (schema.properties ?? {}) ? 'spec' : field, name));
}

function schemaFor(name: Described): JsonSchema {
  if (name === 'Lock') return lockJsonSchema();
  return name === 'Plan' ? toSchema(planSchema) : schemaOf(name);
}

function fieldText(kind: string, { path, field }: Found): string {
  const { schema } = field;
  const about = schema.description ?? (path.length === 0 || path.join('.') === 'spec' ? aboutOf[kind] : undefined);
  const setting = inheriting.includes(kind) && path[0] === 'spec' ? path.slice(1).join('.') : '';
  const lines = facts([
    ['TYPE', typeText(schema)],
    ['VALUES', choicesOf(schema).join(', ')],
    ['LIMITS', limitsOf(schema)],
    ['REQUIRED', path.length === 0 ? '' : field.required ? 'yes' : 'no'],
    ['ONE OF', choiceText(schema)],
    ['DEFAULT', defaultsOf(setting).join('; or ')],
    ['INHERITED', inheritanceOf(setting) ?? ''],
  ]);
  return `${bold([kind, path.join('.')].join(' ').trim())}\n${about === undefined ? '' : `${about}\n`}\n${lines}${subFields(schema)}`;
}

function typeText(schema: JsonSchema): string {
  const type = typeOf(schema);
  const form = forms[type.replace(/^(\[\]|map of )+/, '')];
  return form === undefined ? type : `${type}: ${form}`;
}

function choiceText(schema: JsonSchema): string {
  const keys = exactlyOneOf(schema);
  return keys.length === 0 ? '' : `set exactly one of ${keys.join(', ')}`;
}

/** Choices are shorter than the table that explains them. */
function shortType(schema: JsonSchema): string {
  const choices = choicesOf(schema).join('|');
  if (choices === '') return typeOf(schema);
  return schema.type === 'array' ? `[]${choices}` : choices;
}

function subFields(schema: JsonSchema): string {
  const rows = fieldsOf(schema).map(({ name, schema: field, required }) => [
    name,
    shortType(field),
    required ? 'yes' : 'no',
    field.description ?? '',
  ]);
  return rows.length === 0 ? '' : `\n${table(['FIELD', 'TYPE', 'REQUIRED', 'DESCRIPTION'], rows)}`;
}
