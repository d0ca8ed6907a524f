// What `up` does with manifests, with the real gateway and without Kubernetes.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { CausewayError } from '../../../src/core/errors.ts';
import { manifestDirectory } from '../../../src/manifests/index.ts';
import { startPlatform } from '../../../src/platform/platform.ts';
import { fakeRuntime } from '../../../src/platform/testing/fake-runtime.ts';
import type { Platform } from '../../../src/platform/view.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { causewayLater } from '../../support/cli.ts';
import { tunnelTo } from '../../support/gateway/clients.ts';
import { bearer, createAccountKey, nodeToken } from '../../support/gateway/tokens.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';

const local = localPlatform();
const runtime = fakeRuntime(local.directory);
const logged: string[] = [];
const say = (level: string) => (message: string) => void logged.push(`${level} ${message}`);
const log = { ...silentLog, info: say('info'), warn: say('warn'), error: say('error') };
const start = (options = {}): Promise<Platform> =>
  startPlatform({ manifests: manifestDirectory(local.directory), log, workers: 'none', runtime, ...options });
let platform: Platform;

before(async () => {
  platform = await start();
});
after(async () => {
  await platform.stop();
  local.remove();
});

const statusOf = (name: string) => platform.view().clusters.find((cluster) => cluster.name === name);
const allReady = (): boolean => platform.view().clusters.every(({ ready }) => ready);
const messages = (): string[] => platform.events({ limit: 1000 }).map(({ message }) => message);
const reconciled = (name: string): number => runtime.asked.filter((line) => line === `reconcile ${name}`).length;

/** What is said at an address; undefined when nobody listens. */
const greeting = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('data', (data) => resolve(`${data}`)).once('data', () => socket.destroy());
    socket.once('error', () => resolve(undefined)).once('close', () => resolve(undefined));
  });

const greeter = (port: number, text: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.end(text)).listen(port, '127.0.0.1', () => resolve(server));
  });

describe('a platform', () => {
  it('is ready when each of its clusters is, each with an endpoint of its strategy', async () => {
    await until(() => platform.view().phase === 'running');
    const { network } = local;
    const endpoints = platform.view().clusters.map(({ name, endpoint }) => [name, endpoint]);
    const { nodePorts } = platform.view().plan?.addresses ?? assert.fail();
    const portOf = (name: string) => nodePorts[0]?.allocations.find(({ cluster }) => cluster === name)?.apiServer;
    assert.deepEqual(endpoints, [
      ['loadbalancer', `https://${network}.0.10:${portOf('loadbalancer')}`],
      ['nodeport', `https://${network}.0.2:${portOf('nodeport')}`],
      ['single-port', `https://${network}.0.2:6443`],
      ['tunneling', `https://${network}.0.2:6443`],
    ]);
  });

  it('keeps what was given out in the lock file, and its own things to itself', () => {
    assert.match(readFileSync(local.at('causeway.lock.yaml'), 'utf8'), /nodeport:\n\s+apiServer: 3\d{4}/);
    assert.equal(statSync(local.at('.causeway')).mode & 0o777, 0o700);
    assert.match(readFileSync(local.at('.causeway/.gitignore'), 'utf8'), /^\*$/m);
    const keys = readdirSync(local.at('.causeway/gateways/local')).filter((file) => file.endsWith('.key'));
    assert.ok(keys.length > 2);
    for (const key of keys) assert.equal(statSync(local.at('.causeway/gateways/local', key)).mode & 0o777, 0o600);
  });

  it('gives kubeconfigs that need no DNS', async () => {
    const { network } = local;
    assert.equal(
      (await platform.kubeconfig('tunneling', { person: 'ann', role: 'viewer' })).text,
      `viewer https://${network}.0.2:6443 tunneling.local.kubermatic.example.com`,
    );
    const unknown = platform.kubeconfig('tuneling', { person: 'ann', role: 'admin' });
    await assert.rejects(unknown, (error: CausewayError) => error.fix === 'did you mean tunneling?');
  });

  it('refuses a second one on the same directory, naming the first', async () => {
    await assert.rejects(start(), (error: CausewayError) => {
      assert.ok(error instanceof CausewayError);
      assert.equal(error.code, 'CW-UP-TWICE');
      assert.match(error.message, new RegExp(`process ${process.pid}, since 20\\d\\d-`));
      return true;
    });
  });

  it('leads connections to the control plane, and counts them', async (t) => {
    const port = runtime.inputs.get('nodeport')?.upstreams.apiServer.port ?? assert.fail();
    const backend = await greeter(port, 'control plane');
    t.after(() => backend.close());
    const url = new URL(statusOf('nodeport')?.endpoint ?? '');
    assert.equal(await greeting(url.hostname, Number(url.port)), 'control plane');
    await until(() => (platform.view().traffic.get('nodeport')?.bytesOut ?? 0) === 'control plane'.length);
  });
});

describe('a node that is evicted', () => {
  it('is shut out at the gateway at once, and no other node is', async (t) => {
    await until(() => platform.view().phase === 'running');
    const account = createAccountKey();
    runtime.tokenAuthorities.set('tunneling', account.authority);
    const port = runtime.inputs.get('tunneling')?.upstreams.apiServer.port ?? assert.fail();
    const backend = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(port, '127.0.0.1');
    t.after(() => backend.close());
    const tunnel = platform.view().plan?.endpoints.tunneling?.tunnel ?? assert.fail();
    const ca = readFileSync(local.at('.causeway/gateways/local/gateway-ca.crt'), 'utf8');
    const attempt = async (node: string) => {
      const place = { host: `${local.network}.0.2`, port: tunnel.port };
      const connection = await tunnelTo(place, { servername: tunnel.sni ?? tunnel.host, ca });
      t.after(() => connection.close());
      return connection.connect(tunnel.authority, bearer(nodeToken(node, account)));
    };
    const refusal = async (node: string) => (await attempt(node)).headers['causeway-refusal'];
    // The gateway learns of the key a moment after the control plane has it.
    await until(async () => (await attempt('n1')).status === 200);
    const [stolen, other] = [await attempt('n1'), await attempt('n2')];
    const nodes = (await platform.connections('tunneling')).map(({ node }) => node);
    assert.ok(nodes.includes('n1') && nodes.includes('n2'), nodes.join());
    assert.deepEqual(await platform.evictNode('tunneling', 'n1'), {});
    await stolen.conversation.ended;
    assert.equal(other.conversation.isOver, false);
    assert.deepEqual([await refusal('n1'), await refusal('n2')], ['evicted-node', undefined]);
    assert.deepEqual(
      platform.evictedNodes('tunneling').map(({ node }) => node),
      ['n1'],
    );
    assert.ok(runtime.asked.includes('evicts n1 of tunneling'));
    assert.ok(runtime.asked.includes('revokes join tokens of tunneling'));
    assert.match(readFileSync(local.at('.causeway/evicted-nodes.json'), 'utf8'), /"n1"/);
    assert.ok(messages().some((message) => message.startsWith('node n1 was evicted')));
    await assert.rejects(platform.evictNode('tuneling', 'n1'), { code: 'CW-UP-NO-CLUSTER' });
    assert.equal(await platform.readmitNode('tunneling', 'n2'), false);
    assert.equal(await platform.readmitNode('tunneling', 'n1'), true);
    assert.deepEqual(platform.evictedNodes('tunneling'), []);
    assert.equal(await refusal('n2'), undefined);
    // A key that two clusters have says nothing: it is nobody's, and the rest of the snapshot stays good.
    runtime.tokenAuthorities.set('nodeport', account.authority);
    await until(async () => (await refusal('n2')) === 'foreign-token');
    runtime.tokenAuthorities.clear();
  });
});

describe('output of render below the manifests', () => {
  it('is no manifest: the platform goes on', async () => {
    const { code, stderr } = await causewayLater(['render', '.', '--out', 'out'], { cwd: local.directory });
    assert.equal(code, 0, stderr);
    await platform.reload();
    assert.equal(platform.view().broken, false);
    assert.deepEqual(platform.view().findings, []);
  });
});

describe('an edit', () => {
  it('is picked up within a second, and touches only what changed', async () => {
    const before = { ...Object.fromEntries(['tunneling', 'nodeport'].map((name) => [name, reconciled(name)])) };
    const begin = performance.now();
    local.edit('clusters/nodeport.yaml', (text) => text.replace('1.36.3', '1.36.1'));
    await until(() => runtime.inputs.get('nodeport')?.kubernetesVersion === '1.36.1');
    assert.ok(performance.now() - begin < 1000, `it took ${performance.now() - begin} ms`);
    assert.equal(reconciled('nodeport'), (before.nodeport ?? 0) + 1);
    assert.equal(reconciled('tunneling'), before.tunneling);
    assert.ok(messages().includes('Cluster/nodeport was changed'));
  });

  it('that changes a route is in force within a second', async () => {
    const { network } = local;
    const listens = async (port: number) => (await greeting(`${network}.0.2`, port)) !== undefined;
    const port = runtime.inputs.get('nodeport')?.upstreams.apiServer.port ?? assert.fail();
    const backend = await greeter(port, 'hello');
    const text = readFileSync(local.at('causeway.lock.yaml'), 'utf8');
    const old = Number(/nodeport:\n\s+apiServer: (\d+)/.exec(text)?.[1]);
    const begin = performance.now();
    writeFileSync(local.at('causeway.lock.yaml'), text.replace(`apiServer: ${old}`, 'apiServer: 31999'));
    await until(() => listens(31_999));
    assert.ok(performance.now() - begin < 1000, `it took ${performance.now() - begin} ms`);
    await until(async () => !(await listens(old)));
    backend.close();
  });

  it('that is broken changes nothing, says what is wrong, and can be mended', async () => {
    const asked = runtime.asked.length;
    local.edit('clusters/nodeport.yaml', (text) => text.replace('datacenter:', 'datacentre:'));
    local.edit('clusters/tunneling.yaml', (text) => text.replace('kind: Cluster', 'kind: Clutser'));
    await until(() => platform.view().broken);
    assert.ok(platform.view().findings.some(({ severity }) => severity === 'error'));
    assert.equal(platform.view().clusters.length, 4);
    assert.ok(allReady());
    assert.equal(runtime.asked.length, asked);
    const told =
      /^error the manifests have errors, so nothing was changed: clusters\/nodeport.yaml:\d+ CW-.*; clusters\/tunn/;
    await until(() => logged.some((line) => told.test(line)) && messages().some((line) => told.test(`error ${line}`)));
    local.edit('clusters/nodeport.yaml', (text) => text.replace('datacentre:', 'datacenter:'));
    local.edit('clusters/tunneling.yaml', (text) => text.replace('Clutser', 'Cluster'));
    await until(() => !platform.view().broken);
    assert.equal(runtime.asked.length, asked);
  });

  it('that a running cluster cannot follow is refused with a finding, and changes nothing', async () => {
    const home = local.at('.causeway/clusters/nodeport');
    mkdirSync(`${home}/etcd/member`, { recursive: true, mode: 0o700 });
    writeFileSync(`${home}/state.json`, '{"strategy":"NodePort","kubernetesVersion":"1.36.1"}', { mode: 0o600 });
    const asked = runtime.asked.length;
    local.edit('clusters/nodeport.yaml', (text) =>
      text.replace('exposeStrategy: NodePort', 'exposeStrategy: Tunneling'),
    );
    await until(() => platform.view().broken);
    const found = platform.view().findings.find(({ code }) => code === 'CW-STRATEGY-CHANGE');
    assert.equal(found?.position?.file, 'clusters/nodeport.yaml');
    assert.equal(statusOf('nodeport')?.strategy, 'NodePort');
    local.edit('clusters/nodeport.yaml', (text) => text.replace('Tunneling', 'NodePort'));
    await until(() => !platform.view().broken);
    assert.equal(runtime.asked.length, asked);
    rmSync(home, { recursive: true });
  });

  it('to a version that nobody has is a finding, and nothing is tried with it', async () => {
    const [asked, file] = [runtime.asked.length, 'clusters/nodeport.yaml'];
    const before = readFileSync(local.at(file), 'utf8');
    local.edit(file, (text) => text.replace(/kubernetesVersion: .*/, 'kubernetesVersion: 1.99.0'));
    await until(() => platform.view().broken);
    const found = platform.view().findings.find(({ code }) => code === 'CW-VERSION-UNAVAILABLE');
    assert.equal(found?.position?.file, file);
    assert.match(found?.message ?? '', /^Kubernetes 1\.99\.0 cannot be had: /);
    assert.notEqual(statusOf('nodeport')?.version, '1.99.0');
    local.edit(file, () => before);
    await until(() => !platform.view().broken);
    assert.equal(runtime.asked.length, asked);
  });

  it('that names a provider of OpenID Connect tells it to every API server', async () => {
    const before = readFileSync(local.at('platform.yaml'), 'utf8');
    const external =
      'external: { issuer: "https://id.example.com", clientID: web, clientSecret: { env: CAUSEWAY_SECRET_OIDC } }';
    local.edit('platform.yaml', (text) => text.replace(/ dex:(\s.*)*?(?=\n {2}\S)/, ` ${external}`));
    const issuers = () => ['tunneling', 'nodeport'].map((name) => runtime.inputs.get(name)?.oidc);
    assert.deepEqual(issuers(), [undefined, undefined]);
    await until(() => issuers().every((oidc) => oidc?.issuer === 'https://id.example.com' && oidc.clientId === 'web'));
    assert.ok(messages().some((line) => /trust bundle certs\/ca\.pem does not exist/.test(line)));
    mkdirSync(local.at('certs'));
    writeFileSync(local.at('certs/ca.pem'), 'the authority of the company');
    local.edit('platform.yaml', (text) => `${text}\n`);
    await until(() => issuers().every((oidc) => oidc?.ca === 'the authority of the company'));
    writeFileSync(local.at('platform.yaml'), before);
    await until(() => issuers().every((oidc) => oidc === undefined));
  });

  it('that cannot be applied is said at its cluster, and tried again', async () => {
    runtime.failures.set('nodeport', 'the disk is full');
    local.edit('clusters/nodeport.yaml', (text) => text.replace('1.36.1', '1.36.3'));
    await until(() => statusOf('nodeport')?.reason === 'the disk is full');
    assert.equal(statusOf('tunneling')?.ready, true);
    runtime.failures.delete('nodeport');
    await until(() => statusOf('nodeport')?.ready === true);
  });
});

describe('a cluster that is created', () => {
  const hop = () => platform.view().hops.find(({ id }) => id === 'api/young');
  const young = (): string =>
    readFileSync(local.at('clusters/tunneling.yaml'), 'utf8').replaceAll('name: tunneling', 'name: young');

  it('is starting, has never worked, and fails only when it has worked', async () => {
    runtime.silent.add('young');
    writeFileSync(local.at('clusters/young.yaml'), young());
    const seen = new Set<string>();
    await until(() => {
      const found = hop();
      if (found) seen.add(`${found.healthy} ${found.starting} ${found.lastWorked}`);
      return runtime.asked.includes('reconcile young') && statusOf('young')?.reason === 'it is not ready yet';
    });
    assert.deepEqual([...seen], ['undefined true undefined'], 'at no moment it seemed to work, or to fail');
    assert.equal(statusOf('young')?.phase, 'starting');
    assert.equal(statusOf('young')?.steps?.[0]?.name, 'certificates');
    runtime.silent.delete('young');
    await until(() => statusOf('young')?.phase === 'ready');
    assert.deepEqual([hop()?.healthy, statusOf('young')?.steps], [true, undefined]);
    runtime.silent.add('young');
    await until(() => statusOf('young')?.phase === 'failing');
    assert.deepEqual([hop()?.healthy, typeof hop()?.lastWorked], [false, 'number']);
  });

  it('that was deleted and is created again has never worked', async () => {
    rmSync(local.at('clusters/young.yaml'));
    await until(() => statusOf('young') === undefined);
    writeFileSync(local.at('clusters/young.yaml'), young());
    await until(() => statusOf('young')?.phase === 'starting' && hop()?.starting === true);
    assert.equal(hop()?.lastWorked, undefined);
    rmSync(local.at('clusters/young.yaml'));
    await until(() => statusOf('young') === undefined);
    runtime.silent.delete('young');
  });

  it('and cannot be brought up fails at once, with its reason', async () => {
    runtime.failures.set('young', 'the disk is full');
    writeFileSync(local.at('clusters/young.yaml'), young());
    await until(() => statusOf('young')?.phase === 'failing');
    assert.equal(statusOf('young')?.reason, 'the disk is full');
    assert.equal(hop()?.healthy, false);
    rmSync(local.at('clusters/young.yaml'));
    await until(() => statusOf('young') === undefined);
    runtime.failures.delete('young');
  });
});

describe('a cluster whose manifest is removed', () => {
  const manifest = (name: string) => local.at('clusters', `${name}.yaml`);
  const data = (name: string) => local.at('.causeway/clusters', name);
  const makeData = async (name: string): Promise<void> => {
    const { mkdir } = await import('node:fs/promises');
    await mkdir(data(name), { recursive: true });
    writeFileSync(`${data(name)}/etcd`, 'precious');
  };

  it('is stopped, and its data is set aside and not lost', async () => {
    await makeData('loadbalancer');
    const text = readFileSync(manifest('loadbalancer'), 'utf8');
    rmSync(manifest('loadbalancer'));
    await until(() => messages().some((message) => message.includes('its data is in')));
    assert.equal(statusOf('loadbalancer'), undefined);
    assert.ok(runtime.asked.includes('driver removes cluster/loadbalancer'));
    const [aside] = readdirSync(local.at('.causeway/removed'));
    assert.equal(readFileSync(local.at('.causeway/removed', aside ?? '', 'cluster/etcd'), 'utf8'), 'precious');
    writeFileSync(manifest('loadbalancer'), text);
    await until(() => statusOf('loadbalancer')?.ready === true);
  });

  it('is deleted with all it had when that was asked for', async () => {
    platform.expectDeletion('loadbalancer');
    rmSync(manifest('loadbalancer'));
    await until(() => messages().includes('loadbalancer was deleted, with all of its data'));
    assert.ok(runtime.asked.includes('remove loadbalancer'));
  });
});

describe('a platform that was stopped', () => {
  it('has let go of everything, and comes back with its history', async () => {
    const last = platform.events({ limit: 1 })[0]?.id ?? assert.fail();
    await platform.stop();
    assert.equal(runtime.asked.at(-1), 'driver stops');
    assert.equal(await greeting(`${local.network}.0.2`, 6443), undefined);
    platform = await start({ clusters: ['tunneling'] });
    assert.ok(platform.events({ after: last, limit: 10 }).length > 0);
    await until(() => platform.view().phase === 'running');
    assert.deepEqual(
      platform.view().clusters.map(({ name }) => name),
      ['tunneling'],
    );
    assert.ok(existsSync(local.at('.causeway/history.db')));
  });

  it('starts without a port that somebody else has: only clusters behind it wait, and not for long', async () => {
    await platform.stop();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(6443, `${local.network}.0.2`, resolve));
    platform = await start();
    await until(() => statusOf('nodeport')?.ready === true);
    const url = new URL(statusOf('nodeport')?.endpoint ?? '');
    const backend = await greeter(
      runtime.inputs.get('nodeport')?.upstreams.apiServer.port ?? assert.fail(),
      'still there',
    );
    assert.equal(await greeting(url.hostname, Number(url.port)), 'still there');
    backend.close();
    assert.match(statusOf('tunneling')?.reason ?? '', /cannot listen on \S+:6443: another program listens there/);
    const gateway = platform.view().components.find(({ name }) => name === 'gateway-local');
    assert.match(gateway?.next ?? '', /^stop what "ss -ltnp sport = :6443" shows/);
    taken.close();
    await until(() => platform.view().phase === 'running' && allReady());
  });

  it('takes over the directory of one that was killed', async () => {
    await platform.stop();
    const lock = local.at('.causeway/up.lock');
    const { mkdir, writeFile } = await import('node:fs/promises');
    await mkdir(lock);
    await writeFile(`${lock}/999999999-dead`, (await import('node:os')).hostname());
    platform = await start();
    assert.ok(platform.view().plan !== undefined);
  });
});
