// `causeway up` with everything real: one platform from the template, and many promises.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { isRunning } from '../../../src/sys/is-running.ts';
import { run } from '../../support/child-process.ts';
import { commandLine } from '../../support/cli.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { type LocalPlatform, localPlatform } from '../../support/local-platform.ts';
import { needReal } from '../../support/real-programs.ts';
import { evictsOne } from './evict.ts';
import { newer, nodesHave, older, rollsByEdit, setVersion } from './roll.ts';
import { heals, type Running, running } from './running.ts';

const undo = createUndoList();
after(() => undo.run());

const timeoutMs = 120_000;
const clusters = ['loadbalancer', 'nodeport', 'single-port', 'tunneling'] as const;

test('up runs the whole platform of the template', async (t) => {
  const real = await needReal(
    t,
    ...(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const),
    ...(['konnectivity-server', 'konnectivity-agent', 'kwok', 'etcdctl', 'etcdutl'] as const),
    ...(['kube-apiserver@1.36.1', 'kube-controller-manager@1.36.1', 'kube-scheduler@1.36.1'] as const),
  );
  if (real === undefined) return;
  const local = localPlatform();
  setVersion(local, 'nodeport', older);
  undo.after(() => local.remove());
  const platform = running(local, real.kubectl);
  undo.after(() => platform.causeway('down'));
  const isReady = async (cluster: string): Promise<boolean> =>
    (await platform.status()).clusters.some(({ name, ready }) => name === cluster && ready);

  await t.test('status says clearly when nothing runs', async () => {
    const { code, stderr } = await platform.causeway('status');
    assert.equal(code, 2);
    assert.match(stderr, /no platform runs on \. \[CW-UP-NOT-RUNNING\]\n {2}fix: start it with "causeway up \."/);
  });

  await t.test('up --detach returns when all is ready, with what to try next', async () => {
    const { code, stdout, stderr } = await platform.up();
    assert.equal(code, 0, stdout + stderr);
    for (const cluster of clusters) assert.match(stdout, new RegExp(`^${cluster} .* 2/2 +yes$`, 'm'));
    assert.match(stdout, /http:\/\/127\.0\.0\.1:\d+\/\?token=\S{20,}/);
    assert.match(
      stdout,
      /Try next:\n {2}\S*causeway kubectl \S+ get nodes\n {2}\S*causeway kubeconfig \S+ > \S+\n {2}\S*causeway status\n/,
    );
    const tried = await typed(local, stdout.split('Try next:\n')[1]?.split('\n\n')[0] ?? '');
    assert.equal(tried.match(/ Ready /g)?.length, 2, tried);
    assert.match(tried, /^The platform on \S+ is running\.$/m);
  });

  await t.test('a kubeconfig ends when it was asked to', async () => {
    const { stdout } = await platform.causeway('kubeconfig', 'nodeport', '--ttl', '10m');
    const { users } = parse(stdout) as { users: [{ user: Record<'client-certificate-data', string> }] };
    const certificate = new X509Certificate(Buffer.from(users[0].user['client-certificate-data'], 'base64'));
    const minutes = (certificate.validToDate.getTime() - Date.now()) / 60_000;
    assert.ok(minutes > 5 && minutes <= 10, `it ends in ${minutes} minutes`);
  });

  await t.test('kubectl reaches each cluster by its own way', async () => {
    for (const cluster of clusters)
      assert.equal(await readyNodes(platform, cluster), 2, `${cluster} does not have two nodes that are Ready`);
    const endpoints = (await platform.status()).clusters.map(({ endpoint }) => endpoint);
    assert.deepEqual(
      endpoints.map((endpoint) => new URL(endpoint ?? '').hostname),
      [`${local.network}.0.10`, ...Array(3).fill(`${local.network}.0.2`)],
    );
  });

  await t.test('kubectl reaches it on the single port, through the proxy', async () => {
    const credentials = readFileSync(local.at('.causeway/proxy-credentials'), 'utf8').trim();
    const version = await platform.kubectl('single-port', ['version', '-o', 'json'], (way) => {
      way.server = `https://${way['tls-server-name']}:8443`;
      way['proxy-url'] = `http://${credentials}@${local.network}.0.3:3128`;
    });
    assert.match(version, /"gitVersion": "v1\.36\.3"/);
  });

  await t.test('kubectl reaches it as a pod would, through the node agent', async () => {
    const address = readFileSync(local.at('.causeway/workers/tunneling/address'), 'utf8').trim();
    const version = await platform.kubectl('tunneling', ['version', '-o', 'json'], (way) => {
      way.server = `https://${address}:6443`;
      way['tls-server-name'] = 'kubernetes.default';
    });
    assert.match(version, /"gitVersion": "v1\.36\.3"/);
  });

  await t.test('a stolen token of a node is of no use once its node is evicted, and no other node notices', (t) =>
    evictsOne(t, local, platform),
  );

  await t.test('logs of a pod cross the konnectivity tunnel', async () => {
    await platform.kubectl('single-port', ['run', 'talker', '--image=talker']);
    await platform.kubectl('single-port', ['wait', 'pod/talker', '--for=condition=Ready', '--timeout=60s']);
    assert.match(await platform.kubectl('single-port', ['logs', 'talker']), /talker/);
  });

  await t.test(
    'causeway kubectl uses the cluster that is named, and its output, input and exit code are kubectl’s',
    async () => {
      const kubectl = (...args: string[]) => platform.causeway('kubectl', ...args);
      assert.equal((await kubectl('tunneling', 'create', 'configmap', 'mine', '--from-literal=a=b')).code, 0);
      const { stdout } = await kubectl(
        'tunneling',
        '-n',
        'default',
        'get',
        'configmap',
        'mine',
        '-o',
        'jsonpath={.data.a}',
      );
      assert.equal(stdout, 'b');
      const elsewhere = await kubectl('single-port', 'get', 'configmap', 'mine');
      assert.equal(elsewhere.code, 1);
      assert.match(elsewhere.stderr, /configmaps "mine" not found/);
      assert.match((await kubectl('--role', 'viewer', 'tunneling', 'delete', 'configmap', 'mine')).stderr, /forbidden/);
      assert.match((await kubectl('tunneling', 'get', '--help')).stdout, /Display one or many resources/);
    },
  );

  await t.test('a cluster is restored, and can be used as soon as that is said', async () => {
    const [name] = (await platform.causeway('cluster', 'backup', 'tunneling')).stdout.split(',');
    await platform.kubectl('tunneling', ['create', 'configmap', 'too-late']);
    const refused = await platform.causeway('cluster', 'restore', 'tunneling');
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      new RegExp(`whether tunneling may go back to ${name}, taken \\d+ (s|min).* ago.*\\[CW-CLI-YES\\]`),
    );
    const { code, stdout, stderr } = await platform.causeway('cluster', 'restore', 'tunneling', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^tunneling has the data of ${name} again, and is ready\n`));
    // At once, and only once.
    const names = await platform.kubectl('tunneling', ['get', 'configmaps', '-o', 'name']);
    assert.match(names, /configmap\/mine/);
    assert.doesNotMatch(names, /too-late/);
  });

  await t.test('a second up refuses, naming the first', async () => {
    const { code, stderr } = await platform.causeway('up', '--port', '0');
    assert.equal(code, 2);
    const { pid } = await platform.component('platform', 'causeway');
    assert.match(stderr, new RegExp(`already: process ${pid}, since 20.*\\[CW-UP-TWICE\\]`));
  });

  await t.test('status tells clusters and components, for people and for scripts', async () => {
    const { stdout } = await platform.causeway('status', '-o', 'json');
    const { clusters: told, components } = JSON.parse(stdout) as Awaited<ReturnType<Running['status']>>;
    assert.deepEqual(
      told.map(({ name, ready }) => [name, ready]),
      clusters.map((name) => [name, true]),
    );
    const keys = ['name', 'ready', 'reason', 'endpoint'];
    for (const cluster of told) assert.deepEqual(Object.keys(cluster).slice(0, 4), keys);
    assert.ok(components.some(({ scope, name, pid }) => scope === 'cluster/nodeport' && name === 'etcd' && pid));
    assert.match((await platform.causeway('status')).stdout, /^The platform on .* is running\.\n\nCLUSTER +STRATEGY/);
  });

  await t.test('logs of components and of the platform can be read', async () => {
    const before = { at: Date.now(), dialled: await platform.agentConnections('loadbalancer') };
    // The store has little to say on a fast machine.
    const talker = await platform.causeway('logs', 'kube-apiserver', '--cluster', 'nodeport', '--lines', '5');
    assert.equal(talker.stdout.trimEnd().split('\n').length, 5, talker.stdout + talker.stderr);
    const own = await platform.causeway('logs', '--lines', '1000');
    assert.match(own.stdout, /"message":"everything is ready"/, own.stderr);
    const gateway = await platform.causeway('logs', 'gateway-local', '--lines', '1000');
    assert.match(gateway.stdout, /"message":"snapshot in force"/, gateway.stderr);
    assert.match((await platform.causeway('logs', 'etdc')).stderr, /did you mean etcd\?/);
    assert.match((await platform.causeway('logs', 'etcd')).stderr, /add --cluster with one of loadbalancer, nodeport/);
    await until(() => Date.now() - before.at > 4000);
    assert.equal(await platform.agentConnections('loadbalancer'), before.dialled, 'konnectivity agents dial on and on');
  });

  await t.test('a cluster of an older version is brought to a newer one, step by step', () =>
    rollsByEdit(platform, local, 'nodeport'),
  );

  await t.test('whatever is killed comes back', async () => {
    await platform.kubectl('tunneling', ['create', 'configmap', 'kept', '--from-literal=a=b']);
    const { components } = await platform.status();
    const ofTunneling = components.filter(({ scope }) => scope.endsWith('/tunneling'));
    assert.equal(ofTunneling.length, 7);
    await Promise.all(ofTunneling.map(({ scope, name }) => heals(platform, scope, name)));
    await heals(platform, 'platform', 'gateway-local');
    await until(() => isReady('tunneling'), timeoutMs);
    assert.equal(await platform.kubectl('tunneling', ['get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}']), 'b');
  });

  await t.test('up itself is killed, and the next one finds everything again', async () => {
    const before = await platform.status();
    process.kill((await platform.component('platform', 'causeway')).pid ?? 0, 'SIGKILL');
    // Nobody needs it to be let in.
    for (const cluster of clusters) assert.equal(await readyNodes(platform, cluster), 2);
    const { code, stdout, stderr } = await platform.up();
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await platform.kubectl('tunneling', ['get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}']), 'b');
    const pidsOf = ({ components }: typeof before): string[] =>
      components.filter(({ name }) => name !== 'causeway').map(({ scope, name, pid }) => `${scope}/${name} ${pid}`);
    assert.deepEqual(pidsOf(await platform.status()), pidsOf(before), 'some were started again without need');
  });

  await t.test(
    'a cluster that is added is run, and one that is deleted is gone with all it had, and nothing else',
    async () => {
      local.edit('clusters/nodeport.yaml', (text) => `${text}---\n${text.replaceAll('nodeport', 'second')}`);
      await until(() => isReady('second'), timeoutMs);
      assert.equal(await readyNodes(platform, 'second'), 2);
      assert.match((await platform.causeway('cluster', 'delete', 'second')).stderr, /add --yes/);
      const { code, stderr } = await platform.causeway('cluster', 'delete', 'second', '--yes');
      assert.equal(code, 0, stderr);
      await until(() => !existsSync(local.at('.causeway/clusters/second')), timeoutMs);
      assert.ok(!existsSync(local.at('.causeway/removed')), 'it was set aside instead');
      assert.match(readFileSync(local.at('clusters/nodeport.yaml'), 'utf8'), /name: nodeport\n/);
      assert.equal(await readyNodes(platform, 'nodeport'), 2);
    },
  );

  await t.test('nodes of a cluster that got a newer version have it, too', () =>
    until(() => nodesHave(platform, 'nodeport', newer), timeoutMs),
  );

  await t.test('everything is killed at once, and the next up brings all of it back with its data', async () => {
    const pids = async (): Promise<number[]> => (await platform.status()).components.flatMap(({ pid }) => pid ?? []);
    for (const cluster of clusters)
      await platform.kubectl(cluster, ['create', 'configmap', 'precious', `--from-literal=of=${cluster}`]);
    const before = await pids();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const { code, stdout, stderr } = await platform.up();
    assert.equal(code, 0, stdout + stderr);
    for (const cluster of clusters) {
      const wanted = ['get', 'configmap', 'precious', '-o', 'jsonpath={.data.of}'];
      assert.equal(await platform.kubectl(cluster, wanted), cluster);
      assert.equal(await readyNodes(platform, cluster), 2);
    }
    const after = await pids();
    assert.deepEqual([after.length, after.filter((pid) => before.includes(pid))], [before.length, []]);
  });

  await t.test('down leaves no process', async () => {
    const pids = (await platform.status()).components.flatMap(({ pid }) => pid ?? []);
    assert.ok(pids.length > 25, `only ${pids.length} processes`);
    const { code, stderr } = await platform.causeway('down');
    assert.equal(code, 0, stderr);
    assert.deepEqual(pids.filter(isRunning), []);
  });

  await t.test('Ctrl-C stops what runs in a terminal, and says what it waits for', async (t) => {
    const args = ['up', local.directory, '--clusters', 'nodeport', '--workers', 'none', '--port', '0'];
    const up = run(t, { program: process.execPath, args: [commandLine, ...args] });
    await until(() => up.said().includes('Ctrl-C stops it.'), timeoutMs);
    const pids = (await platform.status()).components.flatMap(({ pid }) => pid ?? []);
    await up.kill('SIGINT');
    assert.equal(up.child.exitCode, 0);
    await until(() => up.said().includes('\nstopped; '));
    assert.match(up.said(), /^stopping: waiting for 6 programs to end in order/m);
    assert.deepEqual(pids.filter(isRunning), []);
  });
});

/** What somebody gets who copies these lines into a shell. */
async function typed(local: LocalPlatform, lines: string): Promise<string> {
  const bin = local.at('.bin');
  mkdirSync(bin);
  writeFileSync(`${bin}/causeway`, `#!/bin/sh\nexec '${process.execPath}' '${commandLine}' "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)('sh', ['-ec', lines], { cwd: local.directory, env });
  return stdout;
}

async function readyNodes(platform: Running, cluster: string): Promise<number> {
  const nodes = await platform.kubectl(cluster, ['get', 'nodes', '--no-headers']);
  return nodes.split('\n').filter((line) => /\sReady\s/.test(line)).length;
}
