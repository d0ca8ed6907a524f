import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../src/cli/explain/fields.ts';
import { manifestsOf, proposedAnswers } from '../../src/cli/init/templates.ts';
import { type JsonSchema, schemaOf } from '../../src/model/json-schema.ts';
import { loadFiles } from '../../src/model/load/index.ts';

/** Only for installations that are special; an availability set is for regions without zones. */
const special = ['azure.apiHosts', 'azure.availabilitySet', 'vsphere.permissionsByTerraform'];

const providers = schemaOf('Datacenter').properties?.spec?.properties?.provider?.properties ?? {};

/** Fields that the template leaves out; of a choice one is enough, and a reference is one value. */
function leftOut(schema: JsonSchema, value: unknown, path: string): string[] {
  if (schema.oneOf !== undefined || schema.title !== undefined) return [];
  return fieldsOf(schema).flatMap((field) => {
    const given = (value as Record<string, unknown>)[field.name];
    const at = `${path}.${field.name}`;
    if (given === undefined) return [at];
    return leftOut(field.schema, Array.isArray(given) ? given[0] : given, at);
  });
}

for (const name of ['azure', 'vsphere', 'openstack', 'aws'] as const) {
  test(`the ${name} template fills in everything that its provider asks for`, () => {
    const { model } = loadFiles(manifestsOf(name, proposedAnswers, 'schema.json'));
    const provider = model?.datacenters.map(({ spec }) => spec.provider[name]).find((block) => block !== undefined);
    assert.ok(provider !== undefined);
    const open = leftOut(providers[name] ?? {}, provider, name).filter((field) => !special.includes(field));
    assert.deepEqual(open, []);
  });
}

test('the templates show every kind, strategy and way out that they stand for', () => {
  const modelOf = (name: string) => loadFiles(manifestsOf(name, proposedAnswers, 'schema.json')).model;
  assert.equal(modelOf('air-gapped')?.platform.spec.egress?.mode, 'offline');
  assert.ok(modelOf('air-gapped')?.platform.spec.registry?.host !== undefined);
  assert.ok(modelOf('behind-proxy')?.datacenters.some(({ spec }) => spec.workers?.route === 'proxy'));
  assert.ok((modelOf('vsphere')?.pools.length ?? 0) > 0);
});
