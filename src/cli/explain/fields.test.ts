import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CausewayError } from '../../core/errors.ts';
import { type JsonSchema, lockJsonSchema, schemaOf, toSchema } from '../../model/json-schema.ts';
import { kinds } from '../../model/schema/index.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { exactlyOneOf, fieldsOf, findField, forms, typeOf } from './fields.ts';

const all: readonly (readonly [string, JsonSchema])[] = [
  ...kinds.map((kind) => [kind, schemaOf(kind)] as const),
  ['Lock', lockJsonSchema()],
  ['Plan', toSchema(planSchema)],
];

/** Every field of a document, behind lists and maps too. */
const everyField = (schema: JsonSchema, path = ''): [path: string, schema: JsonSchema][] =>
  fieldsOf(schema).flatMap((field) => {
    const at = path === '' ? field.name : `${path}.${field.name}`;
    return [[at, field.schema] as [string, JsonSchema], ...everyField(field.schema, at)];
  });

const refused = (text: string): CausewayError => {
  try {
    findField(schemaOf('Cluster'), text, 'Cluster');
  } catch (error) {
    assert.ok(error instanceof CausewayError);
    return error;
  }
  throw new Error(`${text} was found`);
};

test('every field of every document says what it is', () => {
  const silent = all.flatMap(([name, schema]) =>
    everyField(schema)
      .filter(([path, field]) => path !== 'spec' && field.description === undefined)
      .map(([path]) => `${name} ${path}`),
  );
  assert.deepEqual(silent, []);
});

test('every field is found by its path, in any case', () => {
  for (const [name, schema] of all)
    for (const [path] of everyField(schema).filter(([at]) => !at.includes('*')))
      assert.ok(findField(schema, path.toUpperCase(), name).field.schema, `${name} ${path}`);
});

test('a field is found without spec in front and with an index behind', () => {
  const cluster = schemaOf('Cluster');
  assert.deepEqual(findField(cluster, 'network.agentip', 'Cluster').path, ['spec', 'network', 'agentIP']);
  assert.deepEqual(findField(cluster, 'spec.network.pods[0]', 'Cluster').path, ['spec', 'network', 'pods']);
  assert.deepEqual(findField(cluster, '', 'Cluster').path, []);
});

test('in a map every name leads on', () => {
  const plan = toSchema(planSchema);
  const { path, field } = findField(plan, 'endpoints.web.apiServer.host', 'Plan');
  assert.deepEqual(path, ['endpoints', 'web', 'apiServer', 'host']);
  assert.match(field.schema.description ?? '', /clients dial/);
});

test('a slip of the keyboard is told with what was meant, and the fields there are', () => {
  const error = refused('spec.netwrok');
  assert.match(error.fix, /did you mean spec\.network\?/);
  assert.match(error.fix, /exposeStrategy/);
  assert.match(refused('spec.network.agentIP.port').fix, /single value/);
  assert.equal(error.exitCode, 2);
});

test('of a choice, exactly one must be set', () => {
  assert.deepEqual(exactlyOneOf(schemaOf('AddressPool').properties?.spec ?? {}), ['seed', 'datacenter']);
  assert.deepEqual(exactlyOneOf(schemaOf('Cluster').properties?.spec ?? {}), []);
});

test('types are words that people use', () => {
  const type = (kind: 'Cluster' | 'Seed', path: string): string =>
    typeOf(findField(schemaOf(kind), path, kind).field.schema);
  assert.equal(type('Cluster', 'network.pods'), '[]network');
  assert.equal(type('Cluster', 'proxy.credentials'), 'secret reference');
  assert.equal(type('Cluster', 'proxy.enabled'), 'true or false');
  assert.equal(type('Seed', 'storage.fast.parameters'), 'map of text');
  assert.equal(typeOf(findField(toSchema(planSchema), 'flows.ports', 'Plan').field.schema), '[]number or text');
});

test('every kind of text says how it is written', () => {
  const titles = new Set(all.flatMap(([, schema]) => everyField(schema).flatMap(([, field]) => field.title ?? [])));
  assert.deepEqual(
    [...titles].filter((title) => forms[title] === undefined),
    [],
  );
});
