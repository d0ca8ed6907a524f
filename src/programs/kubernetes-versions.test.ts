import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { goCpu, platformName, thisPlatform } from './catalogue/program.ts';
import { kubernetesVersions } from './kubernetes-versions.ts';
import { needPrograms } from './need-programs.ts';
import { sandbox, script, serve } from './testing/sandbox.ts';

const minors = { oldest: 34, newest: 36 };
const download = (version: string): string =>
  `/release/v${version}/bin/linux/${goCpu(thisPlatform)}/kube-apiserver.sha256`;
const module = '/goproxy/k8s.io/kubernetes/@v';
const refused = (_: unknown, response: { writeHead(status: number): { end(): void } }): void =>
  response.writeHead(403).end();

async function published(t: TestContext, files: Parameters<typeof serve>[1]) {
  const { origin, requests } = await serve(t, files);
  const machine = sandbox(t, origin);
  return { ...machine, requests, versions: kubernetesVersions({ minors, programs: machine.options }) };
}

describe('versions of Kubernetes that are offered', () => {
  it('are those on the machine, those we are tested with, and those of the publishers, newest first', async (t) => {
    const list = 'v1.36.3\nv1.35.4\nv1.35.5-rc.1\nv1.20.1\nv1.34.9\n';
    const { versions, cache } = await published(t, { [`${module}/list`]: list });
    const directory = path.join(cache, 'programs/kubernetes/1.35.2', platformName(thisPlatform));
    for (const name of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'])
      script(directory, name, 'exit 0');
    // Half of a control plane is none.
    script(path.join(cache, 'programs/kubernetes/1.35.1', platformName(thisPlatform)), 'kube-apiserver', 'exit 0');
    const { items, incomplete } = await versions.offered();
    assert.equal(incomplete, undefined);
    assert.deepEqual(
      items.map(({ version, here, tested }) => [version, here, tested]),
      [
        ['1.36.3', false, true],
        ['1.36.1', false, true],
        ['1.35.4', false, false],
        ['1.35.2', true, false],
        ['1.34.9', false, false],
      ],
    );
  });

  it('tell when no publisher could be asked, and still are those that are known', async (t) => {
    const { options } = sandbox(t);
    const { items, incomplete } = await kubernetesVersions({ minors, programs: options }).offered();
    assert.deepEqual(
      items.map(({ version }) => version),
      ['1.36.3', '1.36.1'],
    );
    assert.match(incomplete ?? '', /cannot be reached/);
  });
});

describe('whether a version can be had', () => {
  it('is known without asking anybody for one that is here, or that we are tested with', async (t) => {
    const { versions, requests, bin } = await published(t, {});
    script(bin, 'kube-apiserver', 'echo "Kubernetes v1.34.2"');
    assert.equal((await versions.availability('1.36.3')).state, 'available');
    assert.equal((await versions.availability('1.34.2')).state, 'available');
    assert.deepEqual(requests, []);
  });

  it('is told by whoever has it', async (t) => {
    const files = { [download('1.35.4')]: 'x', [`${module}/list`]: 'v1.35.6\n', [`${module}/v1.35.7.info`]: '{}' };
    const { versions } = await published(t, files);
    for (const version of ['1.35.4', '1.35.6', '1.35.7'])
      assert.equal((await versions.availability(version)).state, 'available', version);
  });

  it('is no where a publisher says so, in whatever words', async (t) => {
    const files = { [`${module}/list`]: 'v1.36.3\n', [`${module}/v1.99.0.info`]: refused };
    const { versions } = await published(t, files);
    const { state, because } = await versions.availability('1.99.0');
    assert.equal(state, 'absent');
    assert.match(
      because,
      /^127\.0\.0\.1:\d+ has no Kubernetes 1\.99\.0; the Go module proxy \S+ has no Kubernetes 1\.99\.0$/,
    );
  });

  it('is not known where nobody answers, and is asked again later', async (t) => {
    const { options } = sandbox(t);
    let now = 0;
    const versions = kubernetesVersions({ minors, programs: options, now: () => now });
    const first = versions.availability('1.35.4');
    assert.equal((await first).state, 'unknown');
    assert.match((await first).because, /cannot be reached/);
    assert.equal(await versions.availability('1.35.4'), await first);
    now += 60_000;
    assert.notEqual(await versions.availability('1.35.4'), await first);
  });
});

it('a version that the module proxy refuses is no version, and says so without the words of Go', async (t) => {
  const { options, bin } = sandbox(t);
  const answer =
    '{"Error":"k8s.io/kubernetes@v1.99.0: reading https://user:pw@mirror/k8s.io: 403 Forbidden\\\\n\\\\tserver response: no"}';
  script(bin, 'go', `case "$1" in env) echo go1.26.8;; *) echo '${answer}'; exit 1;; esac`);
  await assert.rejects(needPrograms(['kubectl@1.99.0'], options), (error: Error & { code: string }) => {
    assert.equal(error.code, 'CW-PROGRAM-VERSION');
    assert.match(error.message, /does not give it out$/);
    assert.doesNotMatch(error.message, /reading|server response|user:pw/);
    return true;
  });
});
