import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { KubernetesVersions } from './schema/clusters.ts';
import type { Problem } from './schema/common.ts';
import type { DryRun, ResourceBody, ResourceItem } from './schema/resources.ts';
import { codeOf, type SampleApi, sampleApi } from './testing/sample-api.ts';
import { pretendRunning } from './testing/sample-platform.ts';

const shop = (spec: object = {}): ResourceBody => ({
  apiVersion: 'causeway.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'shop' },
  spec: { datacenter: 'local', kubernetesVersion: '1.36.3', ...spec },
});
const url = '/api/v1/resources/Cluster/shop';
const tunneling = '/api/v1/resources/Cluster/tunneling';

const textOf = ({ directory }: SampleApi, file: string): string => readFileSync(path.join(directory, file), 'utf8');
const remove = ({ ask }: SampleApi, role: 'operator' | 'admin', at: string, ifMatch?: string): Promise<Response> =>
  ask(role, at, { method: 'DELETE', headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });

test('a new cluster gets a file of its own, and the platform knows it at once', async (t) => {
  const sample = await sampleApi(t);
  const response = await sample.put('operator', url, shop());
  assert.equal(response.status, 201);
  assert.match(textOf(sample, 'clusters/shop.yaml'), /^# yaml-language-server: .*\napiVersion: .*\nkind: Cluster\n/);
  assert.ok(sample.platform.view().clusters.some(({ name }) => name === 'shop'));
  const { etag, file } = (await response.json()) as ResourceItem;
  assert.equal(response.headers.get('etag'), etag);
  assert.equal(file, 'clusters/shop.yaml');
});

test('a document is shown as it is on disk, also before the platform has read it', async (t) => {
  const sample = await sampleApi(t);
  const { resource, file, etag } = await sample.json<ResourceItem>('viewer', tunneling);
  await sample.json('viewer', tunneling);
  writeFileSync(path.join(sample.directory, file), `${textOf(sample, file)}# edited\n`);
  const edited = await sample.json<ResourceItem>('viewer', tunneling);
  assert.deepEqual(edited.resource, resource);
  assert.notEqual(edited.etag, etag);
});

test('a change keeps comments, order and the other documents of the file', async (t) => {
  const sample = await sampleApi(t);
  const file = 'clusters/both.yaml';
  const first =
    'apiVersion: causeway.dev/v1alpha1 # first\nkind: Cluster\nmetadata: {name: one}\nspec:\n  # why here\n';
  const one = `${first}  datacenter:   local\n  kubernetesVersion: 1.36.1 # until May\n`;
  const two = one.replace('one', 'two').replace('# first', '# second');
  writeFileSync(path.join(sample.directory, file), `${one}---\r\n${two}`.replaceAll(/\r?\n/g, '\r\n'));
  const { resource, etag } = await sample.json<ResourceItem>('viewer', '/api/v1/resources/Cluster/two');
  const wanted = { ...resource, spec: { ...resource.spec, kubernetesVersion: '1.36.3' } };
  const response = await sample.put('operator', '/api/v1/resources/Cluster/two', wanted, { 'if-match': etag });
  assert.equal(response.status, 200);
  const expected = `${one}---\n${two.replace('1.36.1', '1.36.3')}`;
  assert.equal(textOf(sample, file), expected.replaceAll('\n', '\r\n'));
});

test('an edit by hand while a change is considered is not overwritten', async (t) => {
  const sample = await sampleApi(t);
  const { resource, etag, file } = await sample.json<ResourceItem>('viewer', tunneling);
  const edited = `${textOf(sample, file)}# edited\n`;
  sample.platform.objections = async () => {
    writeFileSync(path.join(sample.directory, file), edited);
    return [];
  };
  const wanted = { ...resource, spec: { ...resource.spec, kubernetesVersion: '1.36.1' } };
  const response = await sample.put('operator', tunneling, wanted, { 'if-match': etag });
  assert.equal(await codeOf(response), 'CW-API-CHANGED');
  const gone = await remove(sample, 'admin', tunneling, '*');
  assert.equal(gone.status, 204, 'what is there now may be deleted');
  assert.deepEqual(sample.platform.deletions, ['tunneling']);
});

test('a file that is not read as a manifest is not overwritten', async (t) => {
  const sample = await sampleApi(t);
  writeFileSync(path.join(sample.directory, '.causewayignore'), 'clusters/shop.yaml\n');
  writeFileSync(path.join(sample.directory, 'clusters/shop.yaml'), 'mine\n');
  assert.equal(await codeOf(await sample.put('operator', url, shop())), 'CW-API-WRITE');
  assert.equal(textOf(sample, 'clusters/shop.yaml'), 'mine\n');
});

test('a new document is not written where nobody would read it', async (t) => {
  for (const [file, text] of [
    ['.causewayignore', 'shop.yaml\n'],
    ['clusters/.causewayignore', '/shop.yaml\n'],
    ['clusters/.causeway-render.json', '{}'],
  ] as const) {
    const sample = await sampleApi(t);
    writeFileSync(path.join(sample.directory, file), text);
    assert.equal(await codeOf(await sample.put('operator', url, shop())), 'CW-API-WRITE', file);
    assert.ok(!existsSync(path.join(sample.directory, 'clusters/shop.yaml')), file);
    rmSync(path.join(sample.directory, file));
    assert.equal((await sample.put('operator', url, shop())).status, 201, file);
  }
});

test('nothing is written through a link that leads out of the directory', async (t) => {
  const [sample, elsewhere] = [await sampleApi(t), await sampleApi(t)];
  rmSync(path.join(sample.directory, 'clusters'), { recursive: true });
  mkdirSync(path.join(elsewhere.directory, 'others'));
  symlinkSync(path.join(elsewhere.directory, 'others'), path.join(sample.directory, 'clusters'));
  assert.equal(await codeOf(await sample.put('operator', url, shop())), 'CW-API-WRITE');
  assert.ok(!existsSync(path.join(elsewhere.directory, 'others/shop.yaml')));
});

test('what a running cluster cannot follow is a finding of the dry run, and is not written', async (t) => {
  const sample = await sampleApi(t);
  await pretendRunning(sample.directory, 'tunneling', { strategy: 'Tunneling', kubernetesVersion: '1.36.3' });
  const { resource, etag } = await sample.json<ResourceItem>('viewer', tunneling);
  const wanted = { ...resource, spec: { ...resource.spec, exposeStrategy: 'NodePort' } };
  const tried = await sample.put('operator', `${tunneling}?dryRun=true`, wanted);
  const { allowed, findings } = (await tried.json()) as DryRun;
  assert.equal(allowed, false);
  const refusal = findings.find(({ code }) => code === 'CW-STRATEGY-CHANGE');
  assert.deepEqual(refusal?.path, ['spec', 'exposeStrategy']);
  const before = textOf(sample, 'clusters/tunneling.yaml');
  assert.equal((await sample.put('operator', tunneling, wanted, { 'if-match': etag })).status, 422);
  assert.equal(textOf(sample, 'clusters/tunneling.yaml'), before);
});

test('of two who change the same document the second is told', async (t) => {
  const sample = await sampleApi(t);
  const { resource, etag } = await sample.json<ResourceItem>('viewer', tunneling);
  const changed = (count: number) => ({ ...resource, spec: { ...resource.spec, nodes: { count } } });
  assert.equal((await sample.put('operator', tunneling, changed(3), { 'if-match': etag })).status, 200);
  const late = await sample.put('operator', tunneling, changed(4), { 'if-match': etag });
  assert.equal(late.status, 412);
  assert.equal(await codeOf(late), 'CW-API-CHANGED');
  const blind = await sample.put('operator', tunneling, changed(4));
  assert.equal(blind.status, 428);
  assert.match(textOf(sample, 'clusters/tunneling.yaml'), /count: 3/);
});

test('many who change one document at once lose nothing', async (t) => {
  const sample = await sampleApi(t);
  const { resource, etag } = await sample.json<ResourceItem>('viewer', tunneling);
  const responses = await Promise.all(
    [3, 4, 5, 6].map((count) =>
      sample.put(
        'operator',
        tunneling,
        { ...resource, spec: { ...resource.spec, nodes: { count } } },
        { 'if-match': etag },
      ),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412, 412, 412]);
});

test('what would break the platform is refused with its findings, and nothing is written', async (t) => {
  const sample = await sampleApi(t);
  const response = await sample.put('operator', url, shop({ datacenter: 'nowhere' }));
  assert.equal(response.status, 422);
  const { error } = (await response.json()) as Problem;
  assert.deepEqual(
    error.findings?.map(({ code, field }) => [code, field]),
    [['CW-REFERENCE', 'spec.datacenter']],
  );
  assert.equal(existsSync(path.join(sample.directory, 'clusters/shop.yaml')), false);
});

test('a secret in the body is refused and not repeated', async (t) => {
  const sample = await sampleApi(t);
  const key = `-----BEGIN ${'PRIVATE'} KEY-----\nMC4CAQAwBQYDK2VwBCIEIPs\n-----END ${'PRIVATE'} KEY-----\n`;
  for (const [role, status] of [
    ['operator', 403],
    ['admin', 422],
  ] as const) {
    const response = await sample.put(role, url, shop({ proxy: { http: key } }));
    assert.equal(response.status, status);
    assert.doesNotMatch(await response.text(), /MC4CAQAwBQ/);
  }
});

test('manifests that are broken already can still be mended, one document at a time', async (t) => {
  const sample = await sampleApi(t);
  writeFileSync(path.join(sample.directory, 'clusters/broken.yaml'), 'kind: [\n');
  await sample.platform.reload();
  assert.equal(sample.platform.view().broken, true);
  assert.equal((await sample.put('operator', url, shop())).status, 201);
});

test('a dry run tells findings, requests to other teams and needs, and writes nothing', async (t) => {
  const sample = await sampleApi(t);
  const response = await sample.put('operator', `${url}?dryRun=true`, shop({ exposeStrategy: 'LoadBalancer' }));
  assert.equal(response.status, 200);
  const { allowed, needs, diff, endpoint } = (await response.json()) as DryRun;
  assert.equal(allowed, true);
  assert.equal(endpoint?.strategy, 'LoadBalancer');
  assert.deepEqual(
    needs.addresses.map(({ pool }) => pool),
    ['local', 'node ports of local'],
  );
  assert.ok(needs.flows.some(({ requirement }) => requirement === 'PRT-10'));
  assert.ok(diff.some(({ ask }) => ask.some(({ text }) => text.includes('shop'))));
  assert.equal(existsSync(path.join(sample.directory, 'clusters/shop.yaml')), false);
});

test('a dry run shows the findings of a change that would be refused', async (t) => {
  const sample = await sampleApi(t);
  const response = await sample.put('operator', `${url}?dryRun=true`, shop({ datacenter: 'nowhere' }));
  const { allowed, findings } = (await response.json()) as DryRun;
  assert.equal(allowed, false);
  assert.ok(findings.some(({ code }) => code === 'CW-REFERENCE'));
});

test('deleting a cluster takes its document, its empty file and what it keeps', async (t) => {
  const sample = await sampleApi(t);
  const { etag } = await sample.json<ResourceItem>('viewer', tunneling);
  assert.equal((await remove(sample, 'operator', tunneling, etag)).status, 403);
  assert.equal((await remove(sample, 'admin', tunneling)).status, 428);
  assert.deepEqual(sample.platform.deletions, []);
  assert.equal((await remove(sample, 'admin', tunneling, etag)).status, 204);
  assert.deepEqual(sample.platform.deletions, ['tunneling']);
  assert.equal(existsSync(path.join(sample.directory, 'clusters/tunneling.yaml')), false);
  assert.equal((await remove(sample, 'admin', tunneling, etag)).status, 404);
});

test('what others need cannot be deleted', async (t) => {
  const sample = await sampleApi(t);
  const response = await remove(sample, 'admin', '/api/v1/resources/Datacenter/local', '*');
  assert.equal(response.status, 422);
  assert.ok(existsSync(path.join(sample.directory, 'datacenters/local.yaml')));
});

test('an operator does not change the Platform, a viewer nothing', async (t) => {
  const sample = await sampleApi(t);
  const { resource: now } = await sample.json<ResourceItem>('viewer', '/api/v1/resources/Platform/example');
  const resource = { ...now, metadata: { ...now.metadata, labels: { a: 'b' } } };
  const platform = '/api/v1/resources/Platform/example';
  assert.equal((await sample.put('operator', platform, resource, { 'if-match': '*' })).status, 403);
  assert.equal((await sample.put('admin', platform, resource, { 'if-match': '*' })).status, 200);
  assert.equal((await sample.put('viewer', url, shop())).status, 403);
  assert.equal((await sample.put('viewer', `${url}?dryRun=true`, shop())).status, 403);
});

test('kind and name of address and body are the same', async (t) => {
  const sample = await sampleApi(t);
  const response = await sample.put('operator', '/api/v1/resources/Cluster/other', shop());
  assert.equal(response.status, 422);
});

test('a version that cannot be had is refused, for a new cluster and for one that is there', async (t) => {
  const sample = await sampleApi(t);
  const { resource, etag } = await sample.json<ResourceItem>('viewer', tunneling);
  const changed = { ...resource, spec: { ...resource.spec, kubernetesVersion: '1.99.0' } };
  const cases = [
    [url, shop({ kubernetesVersion: '1.99.0' }), {}, 'spec.kubernetesVersion'],
    [url, shop({ nodes: { kubeletVersion: '1.99.0' } }), {}, 'spec.nodes.kubeletVersion'],
    [tunneling, changed, { 'if-match': etag }, 'spec.kubernetesVersion'],
  ] as const;
  for (const [at, body, headers, wanted] of cases) {
    const { allowed, errors } = (await (await sample.put('operator', `${at}?dryRun=true`, body)).json()) as DryRun;
    assert.equal(allowed, false);
    const finding = errors.find(({ code }) => code === 'CW-VERSION-UNAVAILABLE');
    assert.equal(finding?.field, wanted);
    assert.match(finding?.message ?? '', /^Kubernetes 1\.99\.0 cannot be had: /);
    assert.match(finding?.fix ?? '', /1\.36\.3, 1\.36\.1, 1\.35\.4/);
    const refused = await sample.put('operator', at, body, headers);
    assert.equal(refused.status, 422);
    assert.equal(await codeOf(refused), 'CW-API-FINDINGS');
  }
  assert.equal(existsSync(path.join(sample.directory, 'clusters/shop.yaml')), false);
  assert.doesNotMatch(textOf(sample, 'clusters/tunneling.yaml'), /1\.99/);
});

test('of a version that cannot be had nothing else is advised, also where the cluster could not go so far', async (t) => {
  const sample = await sampleApi(t);
  await pretendRunning(sample.directory, 'tunneling', { strategy: 'Tunneling', kubernetesVersion: '1.33.9' });
  const { resource } = await sample.json<ResourceItem>('viewer', tunneling);
  const errorsWith = async (kubernetesVersion: string): Promise<string[]> => {
    const body = { ...resource, spec: { ...resource.spec, kubernetesVersion } };
    const { errors } = (await (await sample.put('operator', `${tunneling}?dryRun=true`, body)).json()) as DryRun;
    return errors.map(({ code }) => code);
  };
  assert.deepEqual(await errorsWith('1.99.0'), ['CW-VERSION-UNAVAILABLE']);
  assert.deepEqual(await errorsWith('1.36.1'), ['CW-VERSION-CHANGE']);
});

test('a document that has an error already is not written again with it, and other documents are', async (t) => {
  const sample = await sampleApi(t);
  const file = path.join(sample.directory, 'clusters/tunneling.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/kubernetesVersion: .*/, 'kubernetesVersion: 1.99.0'));
  await sample.platform.reload();
  assert.equal(sample.platform.view().broken, true);
  const { resource, etag } = await sample.json<ResourceItem>('viewer', tunneling);
  const more = { ...resource, spec: { ...resource.spec, nodes: { count: 5 } } };
  const tried = (await (await sample.put('operator', `${tunneling}?dryRun=true`, more)).json()) as DryRun;
  assert.deepEqual([tried.allowed, tried.errors[0]?.code], [false, 'CW-VERSION-UNAVAILABLE']);
  assert.equal((await sample.put('operator', tunneling, more, { 'if-match': etag })).status, 422);
  assert.equal((await sample.put('operator', url, shop())).status, 201);
  const mended = { ...more, spec: { ...more.spec, kubernetesVersion: '1.36.3' } };
  assert.equal((await sample.put('operator', tunneling, mended, { 'if-match': etag })).status, 200);
  assert.equal(sample.platform.view().broken, false);
});

test('what warns does not keep a change from being made', async (t) => {
  const sample = await sampleApi(t);
  const old = shop({ kubernetesVersion: '1.32.9' });
  const { allowed, findings } = (await (await sample.put('operator', `${url}?dryRun=true`, old)).json()) as DryRun;
  assert.ok(findings.some(({ code, severity }) => code === 'CW-VERSION-UNSUPPORTED' && severity === 'warning'));
  assert.equal(allowed, true);
  assert.equal((await sample.put('operator', url, old)).status, 201);
});

test('who creates is told that one of the name is there, in a dry run too, and nothing is changed', async (t) => {
  const sample = await sampleApi(t);
  const { resource } = await sample.json<ResourceItem>('viewer', tunneling);
  const before = textOf(sample, 'clusters/tunneling.yaml');
  for (const at of [`${tunneling}?dryRun=true`, tunneling]) {
    const response = await sample.put('operator', at, resource, { 'if-none-match': '*' });
    assert.equal(response.status, 412);
    const { error } = (await response.json()) as Problem;
    assert.equal(error.code, 'CW-API-EXISTS');
    assert.match(error.message, /there is a Cluster tunneling already, in clusters\/tunneling\.yaml/);
  }
  assert.equal(textOf(sample, 'clusters/tunneling.yaml'), before);
  assert.equal((await sample.put('operator', `${url}?dryRun=true`, shop(), { 'if-none-match': '*' })).status, 200);
  assert.equal((await sample.put('operator', url, shop(), { 'if-none-match': '*' })).status, 201);
});

test('versions that a cluster can have are listed, newest first', async (t) => {
  const { json } = await sampleApi(t);
  const { items } = await json<KubernetesVersions>('viewer', '/api/v1/kubernetes-versions');
  assert.deepEqual(items[0], { version: '1.36.3', here: true, tested: true });
});
