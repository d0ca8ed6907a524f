import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ComponentSpec, Driver } from '../../../../control-plane/index.ts';
import { verdictTrue } from '../../../../reconcile/index.ts';
import { platformHome } from '../../home.ts';
import { createDemoProxies, type DesiredProxy } from './demo-proxies.ts';
import { hostsIn, passwordsIn } from './squid.ts';

function scene(t: TestContext, squid: Parameters<typeof createDemoProxies>[0]['squid'] = 'never') {
  const manifests = mkdtempSync(path.join(tmpdir(), 'cw-proxies-'));
  t.after(() => rmSync(manifests, { recursive: true, force: true }));
  const applied: (readonly ComponentSpec[])[] = [];
  const driver = {
    apply: (_scope: string, specs: readonly ComponentSpec[]) => void applied.push(specs),
    look: () => [],
  };
  const home = platformHome(manifests);
  const proxies = createDemoProxies({ driver: driver as never as Driver, home, manifests, ...(squid && { squid }) });
  return { proxies, applied };
}

/** One that no other run of this test has. */
const host = `127.91.${Math.floor(Math.random() * 250)}.3`;

const desired = (name: string, port = 8443, url = `http://${host}:3128`): DesiredProxy => ({
  url,
  credentials: { file: '.causeway/proxy-credentials' },
  targets: [{ host: name, port }],
  address: '127.91.11.2',
});

test('a proxy that clusters share runs until the last of them leaves', async (t) => {
  const { proxies } = scene(t);
  const [one, two] = [
    await proxies.apply('one', desired('one.example')),
    await proxies.apply('two', desired('two.example')),
  ];
  assert.deepEqual(one, two);
  await proxies.drop('one');
  assert.deepEqual(proxies.look('two'), verdictTrue('Listening'));
  assert.equal(proxies.look('one'), undefined);
  await proxies.drop('two');
  assert.equal(proxies.look('two'), undefined);
});

test('clusters that want the same proxy at the same time get it, and their own names through it', async (t) => {
  const { proxies } = scene(t);
  await Promise.all(['one', 'two', 'three'].map((name) => proxies.apply(name, desired(`${name}.example`))));
  assert.deepEqual(proxies.look('three'), verdictTrue('Listening'));
  await Promise.all(['one', 'two', 'three'].map((name) => proxies.drop(name)));
});

test('a proxy that is not on this machine is only asked for its credentials', async (t) => {
  const { proxies, applied } = scene(t, { squid: '/squid', passwordHelper: '/helper' });
  const brought = await proxies.apply('one', desired('one.example', 443, 'http://proxy.corp.example:3128'));
  assert.equal(brought.credentials?.user, 'worker');
  assert.equal(proxies.look('one'), undefined);
  assert.deepEqual(applied, []);
});

test('an address that is taken is said, with what to do', async (t) => {
  const [first, second] = [scene(t), scene(t)];
  await first.proxies.apply('one', desired('one.example'));
  t.after(() => first.proxies.drop('one'));
  await assert.rejects(second.proxies.apply('one', desired('one.example')), { code: 'CW-WORKER-LISTEN' });
  assert.match(second.proxies.look('one')?.message ?? '', new RegExp(`another program listens on ${host}:3128`));
});

test('squid is told names and ports of all clusters, and no password that it could lose', async (t) => {
  const { proxies, applied } = scene(t, { squid: '/squid', passwordHelper: '/helper' });
  const { credentials } = await proxies.apply('one', desired('one.example'));
  await proxies.apply('two', desired('two.example', 9443));
  const [spec] = applied.at(-1) ?? [];
  const [file] = spec?.files ?? [];
  const directory = /hosts_file (.*)\/hosts/.exec(file?.text ?? '')?.[1] ?? '';
  assert.match(file?.text ?? '', /^acl allowed port 8443 9443$/m);
  assert.match(readFileSync(hostsIn(directory), 'utf8'), /127\.91\.11\.2 one\.example\n127\.91\.11\.2 two\.example\n/);
  const hashes = readFileSync(passwordsIn(directory), 'utf8');
  assert.ok(credentials !== undefined && !`${hashes}${JSON.stringify(spec)}`.includes(credentials.password));
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  await Promise.all([proxies.drop('one'), proxies.drop('two')]);
  assert.deepEqual(applied.at(-1), []);
});

test('squid is not started again when nothing has changed', async (t) => {
  const { proxies, applied } = scene(t, { squid: '/squid', passwordHelper: '/helper' });
  await proxies.apply('one', desired('one.example'));
  await proxies.apply('one', desired('one.example'));
  t.after(() => proxies.drop('one'));
  assert.deepEqual(applied[0], applied[1]);
});
