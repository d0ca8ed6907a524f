// Every write route × every role × every field, made from the schemas.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Kind, kinds } from '../model/schema/index.ts';
import { type Field, fieldsOf, otherValue, textOf, valueAt, withValue } from '../model/testing/field-values.ts';
import { requestHeader } from './guard/requests.ts';
import { routeAccess } from './route-access.ts';
import type { Problem } from './schema/common.ts';
import type { ResourceBody, ResourceItem } from './schema/resources.ts';
import type { Role } from './schema/session.ts';
import { bearer, type SampleApi, sampleApi } from './testing/sample-api.ts';

type Who = Role | undefined;

/** The least role for each route that changes anything; undefined: nobody need be signed in. */
const leastRole: Readonly<Record<string, Who>> = {
  'put /api/v1/resources/{kind}/{name}': 'operator',
  'delete /api/v1/resources/{kind}/{name}': 'admin',
  'post /api/v1/clusters/{name}/join': 'admin',
  'post /api/v1/clusters/{name}/evictions': 'admin',
  'delete /api/v1/clusters/{name}/evictions/{node}': 'admin',
  'delete /api/v1/clusters/{name}/kubeconfigs/{id}': 'viewer',
  'delete /api/v1/credentials/{id}': 'viewer',
  'post /api/v1/tokens': 'viewer',
  'post /api/v1/session': undefined,
  'delete /api/v1/session': undefined,
};

test('every route that changes anything declares its least role', () => {
  const declared = routeAccess()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path: url, role }) => [`${method.toLowerCase()} ${url}`, role] as const);
  assert.deepEqual(Object.fromEntries(declared), leastRole);
});

const own = { [requestHeader]: '1' };
const urlOf = (kind: Kind, name: string): string => `/api/v1/resources/${kind}/${name}`;

interface Document {
  readonly url: string;
  readonly kind: Kind;
  readonly resource: ResourceBody;
}

/** One of each kind, as the example has it. */
async function documents(sample: SampleApi): Promise<Document[]> {
  return Promise.all(
    kinds.map(async (kind) => {
      const { items } = await sample.json<{ items: ResourceItem[] }>('viewer', `/api/v1/resources/${kind}`);
      const { resource } = items[0] as ResourceItem;
      return { kind, resource, url: urlOf(kind, resource.metadata.name) };
    }),
  );
}

/** All manifests, to see that nothing was written. */
function filesOf({ directory }: SampleApi): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith('.yaml') && !file.startsWith('.causeway'))
      .map((file) => [file, readFileSync(path.join(directory, file), 'utf8')]),
  );
}

async function changeOf(sample: SampleApi, who: Who, url: string, body: unknown): Promise<Response> {
  sample.sleep(1000);
  return sample.ask(who, url, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'if-match': '*', ...own, ...(who && bearer(who)) },
  });
}

/** Tried out and in earnest. */
const ways = ['', '?dryRun=true'];

test('nobody below admin sets or changes a field that is for admins, and the answer names it', async (t) => {
  const sample = await sampleApi(t);
  const before = filesOf(sample);
  let tried = 0;
  for (const { kind, resource, url } of await documents(sample))
    for (const field of fieldsOf(kind).filter(({ access }) => access === 'admin')) {
      const body = withValue(resource, field.path, otherValue(field, valueAt(resource, field.path)));
      for (const way of ways) {
        tried++;
        assert.equal((await changeOf(sample, undefined, url + way, body)).status, 401, textOf(field));
        assert.equal((await changeOf(sample, 'viewer', url + way, body)).status, 403, textOf(field));
        const refused = await changeOf(sample, 'operator', url + way, body);
        assert.equal(refused.status, 403, `${kind} ${textOf(field)}`);
        const { error } = (await refused.json()) as Problem;
        assert.equal(error.code, 'CW-API-ADMIN-FIELDS');
        assert.ok(names(error.message, resource, field), `${textOf(field)}: ${error.message}`);
        assert.match(error.fix, /administrator/);
      }
      assert.notEqual((await changeOf(sample, 'admin', `${url}?dryRun=true`, body)).status, 403, textOf(field));
    }
  assert.ok(tried > 500, `${tried} fields`);
  assert.deepEqual(filesOf(sample), before);
});

/** The field, or the list or block that it is a part of. */
function names(message: string, { kind, metadata }: ResourceBody, { path: steps }: Field): boolean {
  const shown = message.replaceAll(/\[\d+\]/g, '');
  const whole = steps.filter((step) => step !== '[]' && step !== '*');
  return whole.some((_, end) => shown.includes(`${kind}/${metadata.name} ${whole.slice(0, end + 2).join('.')}`));
}

test('nobody below admin takes away a field that is for admins', async (t) => {
  const sample = await sampleApi(t);
  const before = filesOf(sample);
  for (const { kind, resource, url } of await documents(sample))
    for (const field of fieldsOf(kind).filter(({ access }) => access === 'admin')) {
      if (valueAt(resource, field.path) === undefined) continue;
      const body = withValue(resource, field.path, undefined);
      for (const way of ways) assert.equal((await changeOf(sample, 'operator', url + way, body)).status, 403);
    }
  assert.deepEqual(filesOf(sample), before);
});

test('no new document brings a field that is for admins', async (t) => {
  const sample = await sampleApi(t);
  const before = filesOf(sample);
  for (const { kind, resource } of await documents(sample)) {
    const copy = { ...resource, metadata: { name: 'shadow' } };
    const url = urlOf(kind, 'shadow');
    for (const [what, body] of kind === 'Cluster' ? withAdminFields(kind, copy) : ([['as it is', copy]] as const))
      for (const way of ways) {
        sample.sleep(1000);
        assert.equal((await sample.put('operator', url + way, body)).status, 403, `${kind} ${what}`);
      }
    if (kind === 'Cluster') assert.equal((await sample.put('operator', `${url}?dryRun=true`, copy)).status, 200);
  }
  assert.deepEqual(filesOf(sample), before);
});

/** One document for each such field. */
const withAdminFields = (kind: Kind, resource: ResourceBody): [field: string, body: ResourceBody][] =>
  fieldsOf(kind)
    .filter(({ access }) => access === 'admin')
    .map((field) => [textOf(field), withValue(resource, field.path, otherValue(field, valueAt(resource, field.path)))]);

test('an operator changes every other field', async (t) => {
  const sample = await sampleApi(t);
  for (const { kind, resource, url } of await documents(sample))
    for (const field of fieldsOf(kind).filter(({ access }) => access === 'operator')) {
      // A tenant that is not there yet has credentials to be named with it.
      if (field.path.includes('tenants')) continue;
      const body = withValue(resource, field.path, otherValue(field, valueAt(resource, field.path)));
      const { status } = await changeOf(sample, 'operator', `${url}?dryRun=true`, body);
      assert.equal(status, 200, `${kind} ${textOf(field)}`);
    }
});
