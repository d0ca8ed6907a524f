// One field of a kind, as `kubectl explain` would say it.
import { type JsonSchema, lockJsonSchema, schemaOf, toSchema } from '../../model/json-schema.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { type DefaultFacts, leaves } from '../../plan/settings/index.ts';
import { bold, facts, table } from '../views/table.ts';
import { valueText } from './effective-text.ts';
import { choicesOf, exactlyOneOf, type Found, fieldsOf, findField, forms, limitsOf, typeOf } from './fields.ts';
import type { Described } from './subject.ts';

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

/** What each document is, in a sentence or two. */
export const aboutOf: Readonly<Record<string, string>> = {
  Platform:
    'The installation as a whole: its domain, its users, the master cluster, and what everything below it inherits. There is exactly one.',
  Seed: 'A cluster that hosts control planes. Its gateway is where users and workers reach them.',
  Datacenter: 'A place where workers run: a provider, a network, and the seed that hosts the control planes.',
  Cluster: 'A user cluster: its API server, etcd and konnectivity server run in a seed, its workers in a datacenter.',
  AddressPool: 'Virtual IPs to draw from: for the ingress, gateways and control planes of a seed, or for applications.',
  Lock: 'What was chosen once and must never move: causeway.lock.yaml, written by "causeway plan --lock".',
  Plan: 'Everything that follows from the manifests: what "causeway plan -o json" prints and every artefact is made of.',
};

// What holds when nobody sets an inherited field. The plan knows; here it is only put into words.

// The usual case first, so that its default is named first.
const both = [false, true];
const oldMinor = 30;
const newMinor = 36;

/** Every combination of what a default can depend on. */
const circumstances: readonly DefaultFacts[] = both.flatMap((dual) =>
  both.flatMap((single) =>
    both.flatMap((hasProxy) =>
      [newMinor, oldMinor].map(
        (kubernetesMinor): DefaultFacts => ({
          ipFamily: dual ? 'IPv4+IPv6' : 'IPv4',
          offers: single ? ['single'] : ['split'],
          hasProxy,
          kubernetesMinor,
        }),
      ),
    ),
  ),
);

/** All values that the default can be; empty where there is none. The path has no `spec` in front. */
export function defaultsOf(path: string): string[] {
  const leaf = leaves.find(({ key }) => key === path);
  if (leaf === undefined) return [];
  const values = circumstances.map(leaf.fallback).filter((value) => value !== undefined);
  return [...new Set(values.map(valueText))];
}

const order = 'Platform → Seed → Datacenter → Cluster';
const asBlock = ['proxy', 'registry'];

/** How a field is inherited, or nothing where it is not. */
export function inheritanceOf(path: string): string | undefined {
  const [head = ''] = path.split('.');
  if (path === 'proxy.noProxy') return `${order}; the entries of all of them add up`;
  if (asBlock.includes(head)) return `${order}; the most specific ${head} wins as a whole`;
  const known = leaves.some(({ key }) => key === path || key.startsWith(`${path}.`));
  return known ? `${order}; the most specific one wins` : undefined;
}
