// One control plane of real programs, and what users, workers and whoever takes its disk get from it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createKubeClient, type KubeObject } from '../../../src/kube/index.ts';
import { pkiFiles } from '../../../src/runtime/local/file-store.ts';
import { type Running, run } from '../../support/child-process.ts';
import { freePort } from '../../support/gateway/ports.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { kubeconfigPromises, refused } from './kubeconfig-promises.ts';
import { nodeTokenPromises } from './node-token-promises.ts';
import { type OidcPlace, oidcPlace } from './oidc-person.ts';
import {
  type Kubectl,
  kubectlWith,
  needControlPlane,
  type RealPrograms,
  ready,
  type Scene,
  startScene,
} from './scene.ts';

const runFile = promisify(execFile);

test('a managed control plane', async (t) => {
  const real = await needControlPlane(t);
  if (real === undefined) return;
  const undo = createUndoList();
  t.after(() => undo.run());
  const provider = await oidcPlace(undo, { ann: ['ops'], eve: ['guests'] });
  const scene = await startScene(undo, {}, { oidc: provider.oidc });
  const clients = await clientsOf(scene, real);
  for (const [promise, keep] of Object.entries(promises)) {
    await t.test(promise, (inner) => keep({ t: inner, real, scene, provider, ...clients }));
  }
});

interface Stage {
  readonly t: TestContext;
  readonly real: RealPrograms;
  readonly scene: Scene;
  readonly provider: OidcPlace;
  readonly admin: Kubectl;
  readonly viewer: Kubectl;
}

async function clientsOf({ cluster, directory, server }: Scene, { kubectl }: RealPrograms) {
  return {
    admin: kubectlWith(
      kubectl,
      directory,
      (await cluster.kubeconfig({ person: 'ann', role: 'admin' }, { server })).text,
    ),
    viewer: kubectlWith(
      kubectl,
      directory,
      (await cluster.kubeconfig({ person: 'bob', role: 'viewer' }, { server })).text,
    ),
  };
}

const promises: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async 'obeys its admin, and its controllers work'({ admin }) {
    await admin('create', 'namespace', 'shop');
    await admin('create', 'deployment', 'web', '--image=nothing', '-n', 'shop');
    await until(async () => (await admin('get', 'pods', '-n', 'shop', '-o', 'name')).startsWith('pod/web-'));
  },

  async 'lets a viewer see, but neither change anything nor read secrets'({ viewer }) {
    assert.match(await viewer('get', 'deployments', '-n', 'shop'), /web/);
    assert.match(await viewer('get', 'namespaces'), /shop/);
    await assert.rejects(viewer('create', 'configmap', 'mine'), refused(/Forbidden|forbidden/));
    await assert.rejects(viewer('get', 'secrets', '-n', 'shop'), refused(/forbidden/));
  },

  async 'refuses a pod that would have the rights of its node, except in kube-system or where a namespace allows it'({
    admin,
  }) {
    const pod = (name: string, spec: object): Promise<string> => {
      const overrides = JSON.stringify({ apiVersion: 'v1', spec });
      return admin('run', name, '--image=nothing', `--overrides=${overrides}`, '-n', namespace);
    };
    let namespace = 'default';
    const rights = [
      { containers: [{ name: 'own', image: 'nothing', securityContext: { privileged: true } }] },
      { containers: [{ name: 'own', image: 'nothing' }], hostNetwork: true },
      { containers: [{ name: 'own', image: 'nothing' }], volumes: [{ name: 'node', hostPath: { path: '/' } }] },
    ];
    for (const [at, spec] of rights.entries())
      await assert.rejects(pod(`refused-${at}`, spec), refused(/violates PodSecurity "baseline:latest"/));
    await pod('plain', {});
    namespace = 'kube-system';
    for (const [at, spec] of rights.entries()) await pod(`taken-${at}`, spec);
    namespace = 'trusted';
    await admin('create', 'namespace', namespace);
    await admin('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=privileged');
    for (const [at, spec] of rights.entries()) await pod(`taken-${at}`, spec);
  },

  async 'answers nobody without a name, except how it is'({ scene: { server, input } }) {
    const ca = readFileSync(pkiFiles(input.home.pki).ca.cert, 'utf8');
    const nobody = createKubeClient({ server, ca });
    assert.ok(await nobody.get('/version'));
    await assert.rejects(nobody.get('/api/v1/namespaces'), { code: 'CW-KUBE-UNAUTHORIZED' });
    nobody.close();
  },

  async "knows people by the token of the platform's OpenID Connect provider"({ real, scene, admin, provider }) {
    await admin('create', 'clusterrolebinding', 'ops', '--clusterrole=view', '--group=oidc:ops');
    const [ann, eve] = await Promise.all(
      ['ann', 'eve'].map(async (who) =>
        kubectlWith(real.kubectl, scene.directory, tokenConfig(scene, await provider.idToken(who))),
      ),
    );
    assert.ok(ann && eve);
    await until(() => ann('get', 'pods', '-n', 'shop').then(Boolean, () => false));
    await assert.rejects(eve('get', 'pods', '-n', 'shop'), refused(/User "oidc:eve@example\.com" cannot list/));
    const forged = kubectlWith(real.kubectl, scene.directory, tokenConfig(scene, forgedToken(provider)));
    await assert.rejects(forged('get', 'pods', '-n', 'shop'), refused(/Unauthorized|logged in/));
  },

  ...kubeconfigPromises,

  ...nodeTokenPromises,

  async 'joins a worker that has only a token, as kubeadm does it'({ real, scene, admin }) {
    const token = await scene.cluster.bootstrapToken(60_000);
    const [id = ''] = token.split('.');
    await until(async () => (await clusterInfo(scene)).data[`jws-kubeconfig-${id}`] !== undefined);
    const { server } = JSON.parse((await clusterInfo(scene)).data.kubeconfig ?? '').clusters[0].cluster;
    assert.equal(server, 'https://web.west.example.com:6443');
    const joining = kubectlWith(
      real.kubectl,
      scene.directory,
      tokenConfig(scene, token),
      JSON.stringify(await signingRequest(scene.directory)),
    );
    await joining('create', '-f', '-');
    const issued = () => admin('get', 'csr', 'node-1', '-o', 'jsonpath={.status.certificate}');
    await until(async () => (await issued()) !== '');
    await assert.rejects(joining('get', 'pods'), refused(/forbidden/));
  },

  async 'gives workers tokens for exactly what they do'({ scene: { cluster, server } }) {
    const { ca, user, konnectivityToken, expiresAt } = await cluster.workerCredentials();
    assert.ok(expiresAt > Date.now() + 30 * 60_000);
    const nodes = createKubeClient({ server, ca, token: user.token });
    assert.deepEqual(await nodes.list('/api/v1/nodes'), []);
    await assert.rejects(nodes.list('/api/v1/secrets'), { code: 'CW-KUBE-FORBIDDEN' });
    const agent = createKubeClient({ server, ca, token: konnectivityToken });
    await assert.rejects(agent.get('/api/v1/nodes'), { code: 'CW-KUBE-UNAUTHORIZED' });
    nodes.close();
    agent.close();
  },

  async 'lets a konnectivity agent in by its token, and nobody by another'({ t, real, scene }) {
    const { ca, user, konnectivityToken } = await scene.cluster.workerCredentials();
    const health = `http://127.0.0.1:${scene.input.ports.konnectivityHealth}/readyz`;
    const isJoined = async (): Promise<boolean> => (await fetch(health)).ok;
    const unauthorized = await startAgent(t, real, scene, { ca, token: user.token });
    const server = { scope: 'cluster/web', name: 'konnectivity-server' } as const;
    await until(async () => /Client authentication failed/.test((await scene.driver.tail(server, 50)).join('\n')));
    assert.equal(await isJoined(), false);
    await unauthorized.kill();
    await startAgent(t, real, scene, { ca, token: konnectivityToken });
    await until(isJoined);
  },

  async 'keeps secrets encrypted on the disk'({ real, scene, admin }) {
    await admin('create', 'secret', 'generic', 'till', '-n', 'shop', '--from-literal=code=very-secret-word');
    await admin('create', 'configmap', 'sign', '-n', 'shop', '--from-literal=text=open-on-sunday');
    assert.match(await stored(real, scene, '/registry/configmaps/shop/sign'), /open-on-sunday/);
    const raw = await stored(real, scene, '/registry/secrets/shop/till');
    assert.match(raw, /k8s:enc:secretbox:v1:key1:/);
    assert.doesNotMatch(raw, /very-secret-word/);
  },

  async 'writes down who did what, and nothing of what is secret'({ scene: { input } }) {
    const file = path.join(input.home.logs, 'audit.log');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const made = lines.map(auditEntry).find(({ objectRef }) => objectRef?.name === 'till');
    assert.deepEqual(
      [made?.verb, made?.objectRef?.resource, made?.user.username],
      ['create', 'secrets', 'causeway:ann'],
    );
    assert.doesNotMatch(lines.join(), /very-secret-word|dmVyeS1zZWNyZXQtd29yZA/);
    // Reads of secrets by everybody, also by programs of the cluster itself; of other things not.
    const reads = lines.map(auditEntry).filter(({ verb }) => ['get', 'list', 'watch'].includes(verb));
    const ofPrograms = reads.filter(({ user }) => user.username === 'system:kube-controller-manager');
    assert.ok(ofPrograms.length > 0);
    assert.ok(ofPrograms.every(({ objectRef }) => objectRef?.resource === 'secrets'));
    assert.equal(statSync(file).mode & 0o077, 0);
  },

  async 'tells pods the address that the plan gives them'({ admin }) {
    const [slice, endpoints] = await Promise.all(
      ['endpointslice', 'endpoints'].map(async (kind) =>
        JSON.parse(await admin('get', kind, 'kubernetes', '-o', 'json')),
      ),
    );
    assert.deepEqual(slice.endpoints[0].addresses, ['100.64.30.10']);
    assert.deepEqual([slice.ports[0].port, slice.ports[0].name], [6443, 'https']);
    assert.deepEqual(endpoints.subsets[0].addresses, [{ ip: '100.64.30.10' }]);
    const slices = await admin('get', 'endpointslices', '-o', 'name');
    assert.equal(slices.trim(), 'endpointslice.discovery.k8s.io/kubernetes');
  },

  async 'listens on loopback only, and its socket is in a directory of its owner'({ scene: { input } }) {
    const open = listeners();
    for (const [name, port] of Object.entries(input.ports)) assert.deepEqual(open.get(port), ['0100007F'], name);
    assert.equal(statSync(path.dirname(input.home.konnectivitySocket)).mode & 0o777, 0o700);
    assert.ok(statSync(input.home.konnectivitySocket).isSocket());
  },

  async 'ends within seconds when it is asked to, although watches are open'({ scene }) {
    const pid = pidsOf(scene).get('kube-apiserver');
    assert.ok(pid);
    process.kill(pid, 'SIGTERM');
    await until(() => !existsSync(`/proc/${pid}`), 15_000);
    await until(() => !scene.cluster.isReady());
    await ready(scene.cluster);
  },

  async 'keeps its data when everything is killed at once, and puts back what belongs there'({ scene, admin, viewer }) {
    await admin('delete', 'clusterrole', 'causeway:viewers');
    // As a version before this one left it: the right of certificates without a name.
    await admin('create', 'clusterrolebinding', 'causeway:admins', '--clusterrole=view', '--group=causeway:admins');
    const pids = [...pidsOf(scene).values()];
    assert.equal(pids.length, 5);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until(() => !scene.cluster.isReady());
    await ready(scene.cluster);
    assert.match(await admin('get', 'configmap', 'sign', '-n', 'shop', '-o', 'yaml'), /open-on-sunday/);
    assert.ok([...pidsOf(scene).values()].every((pid) => !pids.includes(pid)));
    assert.doesNotMatch(await admin('get', 'clusterrolebindings', '-o', 'name'), /causeway:admins/);
    // A controller writes the rules of the role.
    await until(() =>
      viewer('get', 'configmaps', '-n', 'shop').then(
        (list) => /sign/.test(list),
        () => false,
      ),
    );
  },

  async 'refuses another strategy, and goes on with its own'({ scene: { cluster, input }, admin }) {
    const endpoint = { ...input.endpoint, strategy: 'NodePort' as const };
    await assert.rejects(cluster.reconcile({ ...input, endpoint }), { code: 'CW-STRATEGY-CHANGE', fix: /Tunneling/ });
    await assert.rejects(cluster.reconcile({ ...input, kubernetesVersion: '1.35.4' }), { code: 'CW-VERSION-CHANGE' });
    assert.equal(cluster.isReady(), true);
    assert.match(await admin('get', 'namespaces'), /shop/);
  },

  async 'is removed with all of it, and its backups stay'({ scene: { cluster, driver, input } }) {
    mkdirSync(input.home.backups, { recursive: true });
    const neighbour = path.join(path.dirname(input.home.root), 'neighbour');
    mkdirSync(neighbour);
    await cluster.remove();
    assert.deepEqual([input.home.root, input.home.konnectivitySocket].filter(existsSync), []);
    assert.deepEqual([neighbour, input.home.backups].map(existsSync), [true, true]);
    assert.deepEqual(driver.look(), []);
  },
};

const pidsOf = ({ driver }: Scene): Map<string, number> =>
  new Map(driver.look().flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid] as const])));

async function startAgent(
  t: TestContext,
  real: RealPrograms,
  { directory, input }: Scene,
  { ca, token }: { readonly ca: string; readonly token: string },
): Promise<Running> {
  const [caFile, tokenFile] = [path.join(directory, 'agent-ca.crt'), path.join(directory, 'agent-token')];
  writeFileSync(caFile, ca);
  writeFileSync(tokenFile, token);
  const args = [
    ...['--proxy-server-host=127.0.0.1', `--proxy-server-port=${input.ports.konnectivityAgents}`],
    ...[`--ca-cert=${caFile}`, `--service-account-token-path=${tokenFile}`, '--health-server-host=127.0.0.1'],
    ...[`--health-server-port=${await freePort()}`, `--admin-server-port=${await freePort()}`, '--v=1'],
  ];
  return run(t, { program: real['konnectivity-agent'], args });
}

/** Read without credentials, as a worker does that trusts nobody yet. */
async function clusterInfo({ server, input }: Scene): Promise<{ data: Record<string, string> }> {
  const client = createKubeClient({ server, ca: readFileSync(pkiFiles(input.home.pki).ca.cert, 'utf8') });
  const found = await client.get<KubeObject>('/api/v1/namespaces/kube-public/configmaps/cluster-info');
  client.close();
  return found as unknown as { data: Record<string, string> };
}

function tokenConfig({ server, input }: Scene, token: string): string {
  const cluster = { server, 'certificate-authority': pkiFiles(input.home.pki).ca.cert };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    clusters: [{ name: 'it', cluster }],
    users: [{ name: 'it', user: { token } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
  });
}

async function signingRequest(directory: string): Promise<KubeObject> {
  const [key, request] = [path.join(directory, 'node.key'), path.join(directory, 'node.csr')];
  const subject = ['-subj', '/O=system:nodes/CN=system:node:node-1'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  await runFile('openssl', ['req', ...newKey, ...subject, '-out', request]);
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'node-1' },
    spec: {
      request: readFileSync(request).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    },
  };
}

async function stored({ etcdctl }: RealPrograms, { input }: Scene, key: string): Promise<string> {
  const { etcdCa, backup } = pkiFiles(input.home.pki);
  const trust = [`--cacert=${etcdCa.cert}`, `--cert=${backup.cert}`, `--key=${backup.key}`];
  const endpoint = `--endpoints=https://127.0.0.1:${input.ports.etcdClient}`;
  return (await runFile(etcdctl, [endpoint, ...trust, 'get', key, '--print-value-only'], { encoding: 'latin1' }))
    .stdout;
}

interface AuditEntry {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource: string; readonly name?: string };
}

const auditEntry = (line: string): AuditEntry => JSON.parse(line) as AuditEntry;

/** It says the right things, and is signed by somebody else. */
function forgedToken({ oidc }: OidcPlace): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const until = Math.floor(Date.now() / 1000) + 600;
  const claims = {
    iss: oidc.issuer,
    aud: oidc.clientId,
    sub: 'ann',
    email: 'ann@example.com',
    groups: ['ops'],
    exp: until,
  };
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** Which addresses, in the kernel's notation, listen on which port. */
function listeners(): Map<number, string[]> {
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const open = new Map<number, string[]>();
  for (const line of lines) {
    const [, address = '', port = ''] = /^\s*\d+: (\w+):(\w+) \w+:\w+ 0A /.exec(line) ?? [];
    if (address === '') continue;
    const number = Number.parseInt(port, 16);
    open.set(number, [...(open.get(number) ?? []), address]);
  }
  return open;
}
