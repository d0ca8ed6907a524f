// Ways in which an operator tried to take what belongs to admins, as requests to the API.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { backupStore } from '../runtime/local/index.ts';
import type { Problem } from './schema/common.ts';
import type { ResourceBody, ResourceItem } from './schema/resources.ts';
import { type SampleApi, sampleApi } from './testing/sample-api.ts';

const seedUrl = '/api/v1/resources/Seed/local';
const clusterUrl = '/api/v1/resources/Cluster/tunneling';

/** A server of the attacker, which counts what it is sent. */
async function attacker(t: TestContext): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function documentAt(sample: SampleApi, url: string): Promise<ResourceBody> {
  return (await sample.json<ResourceItem>('viewer', url)).resource;
}

const problemOf = async (response: Response): Promise<Problem['error']> => ((await response.json()) as Problem).error;
const withSpec = (document: ResourceBody, spec: object): ResourceBody => ({
  ...document,
  spec: { ...document.spec, ...spec },
});
const textOf = ({ directory }: SampleApi, file: string): string => readFileSync(path.join(directory, file), 'utf8');

const bucketOf = (url: string) => ({
  s3: { endpoint: url, bucket: 'loot', credentials: { env: 'PATH' }, passphrase: { file: 'platform.yaml' } },
});

test('an operator cannot send the backups of a seed to a bucket of their own', async (t) => {
  const [sample, { url, requests }] = [await sampleApi(t), await attacker(t)];
  const before = textOf(sample, 'seeds/local.yaml');
  const wanted = withSpec(await documentAt(sample, seedUrl), { backup: bucketOf(url) });
  for (const way of ['', '?dryRun=true']) {
    const response = await sample.put('operator', seedUrl + way, wanted, { 'if-match': '*' });
    assert.equal(response.status, 403);
    const { message } = await problemOf(response);
    for (const field of ['endpoint', 'bucket', 'credentials.env', 'passphrase.file'])
      assert.ok(message.includes(`Seed/local spec.backup.s3.${field}`), message);
  }
  assert.equal(textOf(sample, 'seeds/local.yaml'), before);
  assert.equal(sample.platform.view().model?.seeds[0]?.spec.backup?.s3, undefined);
  assert.deepEqual(requests, []);
});

test('an operator cannot send the environment of the platform to a proxy of their own', async (t) => {
  const [sample, { url, requests }] = [await sampleApi(t), await attacker(t)];
  const proxy = { https: url, credentials: { file: '/proc/self/environ' } };
  for (const [at, file] of [
    [clusterUrl, 'clusters/tunneling.yaml'],
    ['/api/v1/resources/Datacenter/behind-proxy', 'datacenters/behind-proxy.yaml'],
    [seedUrl, 'seeds/local.yaml'],
  ] as const) {
    const before = textOf(sample, file);
    const wanted = withSpec(await documentAt(sample, at), { proxy, workers: { route: 'proxy' } });
    const response = await sample.put('operator', at, wanted, { 'if-match': '*' });
    assert.equal(response.status, 403);
    assert.match((await problemOf(response)).message, /spec\.proxy\.https.*spec\.proxy\.credentials\.file/);
    assert.equal(textOf(sample, file), before);
  }
  assert.deepEqual(requests, []);
});

test('an admin who is not the owner of the machine cannot read its environment or other files either', async (t) => {
  const [sample, { url, requests }] = [await sampleApi(t), await attacker(t)];
  const wanted = withSpec(await documentAt(sample, seedUrl), { backup: bucketOf(url) });
  assert.equal((await sample.put('admin', seedUrl, wanted, { 'if-match': '*' })).status, 200);
  const backup = sample.platform.view().model?.seeds[0]?.spec.backup?.s3;
  assert.ok(backup);
  const home = { backups: sample.directory } as Parameters<typeof backupStore>[0]['home'];
  const target = (credentials: typeof backup.credentials) => () =>
    backupStore(
      { cluster: 'tunneling', backup: { ...backup, credentials }, home, endpoint: { seed: 'local' } },
      { manifests: sample.directory, env: { PATH: 'id:secret' } },
    );
  assert.throws(target({ env: 'PATH' }), { code: 'CW-SECRET-PLACE' });
  for (const file of ['/proc/self/environ', '/etc/shadow', 'platform.yaml', '.causeway/sample.db'])
    assert.throws(target({ file }), { code: 'CW-SECRET-PLACE' }, file);
  await sleep(50);
  assert.deepEqual(requests, []);
});

test('an operator changes the rest of a document that has fields for admins', async (t) => {
  const sample = await sampleApi(t);
  // As people write it: a block that is used twice.
  const file = path.join(sample.directory, 'datacenters/behind-proxy.yaml');
  const source = readFileSync(file, 'utf8').replace(
    /credentials: \{ file: ([^ }]+) \}/,
    'credentials: &ref { file: $1 }\n    trustBundle: *ref',
  );
  writeFileSync(file, source);
  await sample.platform.reload();
  const url = '/api/v1/resources/Datacenter/behind-proxy';
  const now = await documentAt(sample, url);
  const wanted = withSpec(now, { konnectivity: { keepalive: '30s' } });
  assert.equal((await sample.put('operator', url, wanted, { 'if-match': '*' })).status, 200);
  assert.match(readFileSync(file, 'utf8'), /keepalive: 30s/);
  assert.match(readFileSync(file, 'utf8'), /\*ref/);
});

test('no text of a document becomes another document', async (t) => {
  const sample = await sampleApi(t);
  const seed = textOf(sample, 'seeds/local.yaml');
  const smuggled = `x\n---\n${seed.replaceAll(/^#.*\n/gm, '')}\n---\n`;
  const now = await documentAt(sample, clusterUrl);
  const before = sample.platform.view().model?.seeds;
  for (const labels of [{ a: smuggled }, { [smuggled]: 'a' }, { a: `...\n${smuggled}`, b: '- - -' }]) {
    const wanted = { ...now, metadata: { ...now.metadata, labels } };
    await sample.put('operator', clusterUrl, wanted, { 'if-match': '*' });
    assert.deepEqual(sample.platform.view().model?.seeds, before);
    assert.equal(textOf(sample, 'seeds/local.yaml'), seed);
  }
});
