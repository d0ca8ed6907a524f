// A machine that runs what `causeway cluster join` printed, with the real kubeadm, becomes a worker.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { reviewPath } from '../../../src/cli/pipeline.ts';
import type { Planned } from '../../../src/platform/cluster/cluster-input.ts';
import type { JoinInfo } from '../../../src/platform/join/join-info.ts';
import { DemoProxy } from '../../../src/runtime/local/workers/proxies/demo-proxy.ts';
import { sharedMachineSettings } from '../../../src/runtime/local/workers/real/kubelet.ts';
import { createUndoList, type Undo, undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { goProgram } from '../../support/go-programs.ts';
import { type LocalPlatform, localPlatform } from '../../support/local-platform.ts';
import { needProgram } from '../../support/programs.ts';
import { needReal } from '../../support/real-programs.ts';
import { needRealWorker } from '../real-worker/scene.ts';
import { type Running, running } from '../up/running.ts';
import { openImpostor } from './impostor.ts';
import { createMachine, type Machine } from './machine.ts';
import { asProcess, rightsOf } from './rights.ts';
import { bootSystemd } from './systemd.ts';

const undo = createUndoList();
after(() => undo.run());

const cluster = 'tunneling';
const behindProxy = 'single-port';
/** Those with ports, or an address, of their own: they need no node agent. */
const withOwnPorts = ['nodeport', 'loadbalancer'] as const;
const node = 'own-1';

test('a machine that runs what the command printed becomes a worker', async (t) => {
  const go = needProgram(t, 'go');
  const real = await needReal(
    t,
    ...(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const),
    ...(['konnectivity-server', 'konnectivity-agent', 'kubeadm', 'kubelet', 'containerd', 'ctr'] as const),
  );
  if (!needRealWorker(t) || go === undefined || real === undefined || !needProgram(t, 'curl')) return;
  const local = localPlatform();
  undo.after(() => local.remove());
  const platform = running(local, real.kubectl);
  undo.after(() => platform.causeway('down'));
  const { code, stdout, stderr } = await platform.up('--workers', 'none');
  assert.equal(code, 0, stdout + stderr);
  const { planned } = await reviewPath(local.directory);
  assert.ok(planned);
  // Each is gone before the next comes: several kubelets and containerds ask the kernel for more watches than it has.
  const undoMachine = undoAfter(undo);
  const machine = await createMachine(undoMachine, { planned, cluster, kubeadm: real.kubeadm });
  const kubectl = (...args: string[]): Promise<string> => platform.kubectl(cluster, args);
  const script = path.join(machine.directory, 'join.sh');
  const flags = kubeadmFlags(machine);
  const join = (): Promise<string> => machine.run('sh', script, ...flags);

  await t.test('the command prints a script, and warns of what will not work', async () => {
    const printed = await platform.causeway('cluster', 'join', cluster, '--ttl', '1h');
    assert.equal(printed.code, 0, printed.stderr);
    assert.match(printed.stderr, /^warning: 127\.\S+ is an address of the platform’s own machine/);
    writeFileSync(script, printed.stdout, { mode: 0o600 });
    const alone = await platform.causeway('cluster', 'join', cluster, '--output', 'kubeadm');
    assert.match(alone.stderr, /CW-JOIN-KUBEADM/);
  });

  await t.test('a name that the machine does not know is said, with the line that would help', async () => {
    await assert.rejects(
      join(),
      /cannot be looked up here\n {2}fix: have it in DNS, or in \/etc\/hosts: 127\.\S+ tunneling\./,
    );
    machine.knowNames();
  });

  await t.test('kubeadm makes it a node, which becomes Ready', async () => {
    await machine.importImage(agentImage, real['konnectivity-agent']);
    const said = await join();
    assert.match(said, /join: the node agent reached/);
    assert.match(said, /This node has joined the cluster/);
    await kubectl('wait', '--for=condition=Ready', `node/${node}`, '--timeout=90s');
  });

  await t.test('no secret of the script stays on the machine, and none of the platform’s log has one', async () => {
    await assert.rejects(machine.run('ls', '/etc/causeway/bootstrap.kubeconfig'), /No such file/);
    const token = /token: ([a-z0-9]{6}\.[a-z0-9]{16})/.exec(readFileSync(script, 'utf8'))?.[1] ?? '-';
    const [secret = '-'] = token.split('.').slice(1);
    const log = await platform.causeway('logs', '--lines', '10000');
    assert.ok(!log.stdout.includes(secret));
  });

  await t.test('a pod on it runs, its logs come back, and it reaches its API server by the node agent', async () => {
    await machine.importImage('docker.io/local/asker:1', await goProgram(go, podSource));
    const way = ['--env=KUBERNETES_SERVICE_HOST=100.64.30.10', '--env=KUBERNETES_SERVICE_PORT=6443'];
    const word = `word-${Math.random()}`;
    const image = ['--image=docker.io/local/asker:1', '--image-pull-policy=Never'];
    await kubectl('run', 'asker', ...image, ...way, `--env=WORD=${word}`);
    await kubectl('wait', '--for=condition=Ready', 'pod/asker', '--timeout=60s');
    await until(
      () =>
        kubectl('logs', 'asker').then(
          (log) => log.includes(word),
          () => false,
        ),
      60_000,
    );
    const answer = 'v1.36.3 as system:serviceaccount:default:default';
    await until(async () => (await kubectl('logs', 'asker')).includes(answer), 30_000);
  });

  await t.test('an impostor in the place of the kubelet gets neither questions for logs nor for exec', async (t) => {
    const issuer = ['openssl', 'x509', '-noout', '-issuer', '-in', '/var/lib/kubelet/pki/kubelet-server-current.pem'];
    assert.match(await machine.run(...issuer), /kubelet-ca of tunneling/);
    const asItWas = undoAfter(t);
    asItWas.after(() => machine.run('systemctl', 'start', 'kubelet'));
    await machine.run('systemctl', 'stop', 'kubelet');
    const impostor = await openImpostor(machine, node);
    asItWas.after(() => impostor.stop());
    const unknown = /tls: failed to verify certificate: x509: certificate signed by unknown authority/;
    await assert.rejects(kubectl('logs', 'asker'), unknown);
    await assert.rejects(kubectl('exec', 'asker', '--', '/asker'), unknown);
    // It was there, with the right address in a certificate of its own, and nobody told it anything.
    assert.deepEqual([...new Set(await impostor.heard())], ['connected']);
    await asItWas.run();
    await until(() => kubectl('logs', 'asker').then(Boolean, () => false), 60_000);
  });

  await t.test('a real systemd runs the agent shut in, starts it again, and renews its token', async (t) => {
    if (!needProgram(t, 'systemd-analyze')) return;
    for (const unit of ['causeway-agent', 'causeway-agent-address']) await machine.run('systemctl', 'stop', unit);
    await machine.run('ip', 'address', 'delete', '100.64.30.10/32', 'dev', 'lo');
    const services = ['causeway-agent', 'causeway-agent-address', 'causeway-agent-token'].map(
      (name) => `${name}.service`,
    );
    const { systemctl, run } = await bootSystemd(undoAfter(t), machine, {
      units: [...services, 'causeway-agent-token.timer'].map((unit) => `/etc/systemd/system/${unit}`),
    });
    const mainPid = (unit: string): Promise<string> => systemctl('show', '--value', '-p', 'MainPID', unit);
    const answers = (): Promise<boolean> => agentAnswers(machine);
    await systemctl('start', 'causeway-agent.service', 'causeway-agent-token.timer');
    await until(answers, 20_000);
    const first = await mainPid('causeway-agent');
    assert.match(await systemctl('status', 'causeway-agent', '--no-pager'), /active \(running\)/);
    assert.equal(await systemctl('show', '--value', '-p', 'MemoryMax', 'causeway-agent'), `${640 * 1024 * 1024}`);

    await t.test('the agent has no rights, and reads neither the key of the kubelet nor what root keeps', async () => {
      const agent = await rightsOf(run, first);
      assert.notEqual(agent.uid, 0);
      assert.deepEqual([agent.capabilities, agent.noNewPrivileges, agent.seccomp], [[0, 0, 0, 0], 1, 2]);
      const read = (file: string): Promise<string> =>
        run('nsenter', '--target', first, '--mount', ...asProcess(agent), 'cat', file);
      assert.match(await read('/var/lib/causeway/token'), /^\S+$/);
      const hidden = ['/var/lib/kubelet/pki/kubelet-client-current.pem', '/etc/kubernetes/kubelet.conf'];
      for (const file of [...hidden, '/etc/shadow'])
        await assert.rejects(read(file), /No such file or directory|Permission denied/, file);
      // Not even to root, where the unit is.
      for (const file of hidden)
        await assert.rejects(
          run('nsenter', '--target', first, '--mount', 'cat', file),
          /No such file|Permission denied/,
        );
      // All of them are there.
      for (const file of hidden) await machine.run('test', '-s', file);
    });

    await t.test('the unit of the address has that right alone, and puts the address back', async () => {
      const address = await rightsOf(run, await mainPid('causeway-agent-address'));
      const netAdmin = 1 << 12;
      assert.notEqual(address.uid, 0);
      assert.deepEqual(address.capabilities, Array(4).fill(netAdmin));
      await machine.run('ip', 'address', 'delete', '100.64.30.10/32', 'dev', 'lo');
      await until(answers, 20_000);
      assert.equal(await mainPid('causeway-agent'), first);
    });

    await systemctl('kill', '--signal=KILL', 'causeway-agent');
    await until(async () => !['0', first].includes(await mainPid('causeway-agent')) && (await answers()), 20_000);

    await t.test('the renewal fetches a token with the key of the kubelet, and the agent may read it', async () => {
      const before = await machine.run('cat', '/var/lib/causeway/token');
      await systemctl('start', 'causeway-agent-token.service');
      const renewed = await machine.run('cat', '/var/lib/causeway/token');
      assert.notEqual(renewed, before);
      assert.match(renewed, /^\S+\n$/);
      const shown = await machine.run('stat', '--format', '%U %G %a', '/var/lib/causeway', '/var/lib/causeway/token');
      assert.equal(shown, 'causeway-token causeway-token 750\ncauseway-token causeway-token 640\n');
      const next = await systemctl('show', '--value', '-p', 'NextElapseUSecMonotonic', 'causeway-agent-token.timer');
      assert.match(next, /min|h/);
    });
    await systemctl('stop', 'causeway-agent', 'causeway-agent-address');
    assert.equal(await answers(), false);
    await machine.run('systemctl', 'start', 'causeway-agent');
  });

  await t.test('a machine that joined by an earlier script is taken over', async () => {
    const units = '/etc/systemd/system';
    const unit = await machine.run('cat', `${units}/causeway-agent.service`);
    const command = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.replace('/var/lib/causeway/token', '/etc/causeway/token');
    const earlier = `[Service]\nExecStart=${command}\nEnvironment=CAUSEWAY_CACHE=/var/cache/causeway\n`;
    await machine.run('sh', '-c', `cat /var/lib/causeway/token >/etc/causeway/token; chmod 600 /etc/causeway/token`);
    await machine.run('sh', '-c', `rm -r /var/lib/causeway/* ${units}/causeway-agent-*`);
    writeFileSync(path.join(machine.directory, 'etc/systemd/system/causeway-agent.service'), earlier);
    await machine.run('chmod', '700', '/etc/causeway');
    await machine.run('systemctl', 'restart', 'causeway-agent');
    await until(() => agentAnswers(machine), 20_000);
    const said = await join();
    for (const line of ['wrote /var/lib/causeway/token', `wrote ${units}/causeway-agent-address.service`])
      assert.match(said, new RegExp(line));
    assert.match(said, /started causeway-agent with what was written/);
    await until(() => agentAnswers(machine), 20_000);
    await assert.rejects(machine.run('ls', '/etc/causeway/token'), /No such file/);
    assert.equal(await machine.run('cat', `${units}/causeway-agent.service`), unit);
  });

  await t.test('kubeadm alone finds what it asks for, by token and hash', async () => {
    const printed = await platform.causeway('cluster', 'join', cluster, '--output', 'json');
    const { apiServer, token, caHash } = JSON.parse(printed.stdout) as JoinInfo;
    const flags = ['--token', token, '--discovery-token-ca-cert-hash', caHash, '--ignore-preflight-errors=all'];
    await machine.run('kubeadm', 'join', 'phase', 'preflight', apiServer, ...flags);
  });

  await t.test('kubeadm brings kube-proxy and DNS, as the guide has it', async () => {
    const config = path.join(machine.directory, 'cluster.yaml');
    const text = await kubectl(
      '-n',
      'kube-system',
      'get',
      'configmap',
      'kubeadm-config',
      '-o',
      'jsonpath={.data.ClusterConfiguration}',
    );
    writeFileSync(config, text);
    await promisify(execFile)(real.kubeadm, [
      'init',
      'phase',
      'addon',
      'all',
      '--config',
      config,
      '--kubeconfig',
      local.at(`${cluster}.kubeconfig`),
    ]);
    const address = await kubectl(
      '-n',
      'kube-system',
      'get',
      'service',
      'kube-dns',
      '-o',
      'jsonpath={.spec.clusterIP}',
    );
    assert.equal(address, '10.240.16.10');
  });

  await t.test('run again, the script changes nothing', async () => {
    const said = await join();
    assert.match(said, /is a node of tunneling already/);
    assert.doesNotMatch(said, /wrote|started/);
  });

  await t.test('a machine of another cluster is refused', async () => {
    const other = readFileSync(script, 'utf8').replaceAll(/(?<=^ca='-----BEGIN CERTIFICATE-----\n.{20})./gm, 'x');
    writeFileSync(script, other);
    await assert.rejects(join(), /is a node of another cluster\n {2}fix: run "kubeadm reset" first/);
  });

  await t.test('taken away as the guide says, it is no node any more', async () => {
    await kubectl('drain', node, '--ignore-daemonsets', '--force', '--delete-emptydir-data', '--grace-period=1');
    await kubectl('delete', 'node', node);
    await machine.run('kubeadm', 'reset', '--force');
    await assert.rejects(machine.run('ls', '/etc/kubernetes/kubelet.conf'), /No such file/);
    assert.equal(await kubectl('get', 'nodes', '-o', 'name'), '');
    await undoMachine.run();
  });

  for (const other of withOwnPorts)
    await t.test(`to ${other} it comes by ports of the cluster's own`, async (t) => {
      const machine = await createMachine(undoAfter(t), { planned, cluster: other, kubeadm: real.kubeadm });
      machine.knowNames();
      const printed = await platform.causeway('cluster', 'join', other);
      const file = path.join(machine.directory, 'join.sh');
      writeFileSync(file, printed.stdout, { mode: 0o600 });
      await machine.importImage(agentImage, real['konnectivity-agent']);
      await machine.run('sh', file, ...kubeadmFlags(machine));
      await joined(platform, other);
    });

  await t.test('behind a proxy, the script brings all that goes through it', async (t) => {
    const other = await createMachine(undoAfter(t), { planned, cluster: behindProxy, kubeadm: real.kubeadm });
    const printed = await platform.causeway('cluster', 'join', behindProxy);
    assert.equal(printed.stderr, '');
    const file = path.join(other.directory, 'join.sh');
    writeFileSync(file, printed.stdout, { mode: 0o600 });
    const flags = kubeadmFlags(other);
    await assert.rejects(other.run('sh', file, ...flags), /the API server cannot be reached at .*\n[\s\S]*PRX-1 /);
    const proxy = await openProxy(undo, local, planned);
    await other.importImage(agentImage, real['konnectivity-agent']);
    await other.run('sh', file, ...flags);
    await joined(platform, behindProxy);
    assert.match(await other.run('cat', '/etc/causeway/proxy.env'), /^NO_PROXY=".*100\.64\.30\.10/m);
    await proxy.stop();
  });
});

const agentAnswers = (machine: Machine): Promise<boolean> => {
  const asked = ['--silent', '--fail', '--max-time', '3', '--cacert', '/etc/causeway/cluster-ca.crt'];
  const way = ['--resolve', 'kubernetes.default:6443:100.64.30.10', 'https://kubernetes.default:6443/version'];
  return machine.run('curl', ...asked, ...way).then(
    (text) => text.includes('v1.36.3'),
    () => false,
  );
};

/** It is Ready, and the tunnel of konnectivity carries what a pod on it says. */
async function joined(platform: Running, cluster: string): Promise<void> {
  await platform.kubectl(cluster, ['wait', '--for=condition=Ready', `node/${node}`, '--timeout=90s']);
  const log = ['-n', 'kube-system', 'logs', 'daemonset/konnectivity-agent'];
  const isThere = (): Promise<boolean> =>
    platform.kubectl(cluster, log).then(
      (text) => text !== '',
      () => false,
    );
  await until(isThere, 60_000);
}

/** Kernel modules, cgroups and swap of a machine that tests run on. */
const notThisMachine = 'SystemVerification,Swap,FileContent--proc-sys-net-bridge-bridge-nf-call-iptables';

const podSource = fileURLToPath(new URL('../real-worker/pod', import.meta.url));
// Nothing is in the image but the program, so it cannot look for a library.
process.env.CGO_ENABLED = '0';

const agentImage = 'registry.k8s.io/kas-network-proxy/proxy-agent:v0.34.0';

/** The proxy of the plan, which lets whoever knows the password to the gateway. */
async function openProxy(t: Undo, local: LocalPlatform, { plan }: Planned): Promise<DemoProxy> {
  const place = plan.proxy.places[`cluster/${behindProxy}/nodes`];
  const [user = '', password = ''] = readFileSync(local.at('.causeway/proxy-credentials'), 'utf8').trim().split(':');
  const { hostname, port } = new URL(place?.https ?? '');
  const { kubelet, konnectivityAgent, nodeAgent } = plan.proxy.workers[behindProxy] ?? {};
  const names = [kubelet, konnectivityAgent, nodeAgent].map((way) => way?.target.split(':')[0] ?? '');
  const proxy = new DemoProxy();
  t.after(() => proxy.stop());
  await proxy.apply({
    listen: { host: hostname, port: Number(port) },
    credentials: { user, password },
    connectPorts: [8443],
    hosts: new Map(names.map((name) => [name, `${local.network}.0.2`])),
  });
  return proxy;
}

function kubeadmFlags({ directory, layout }: Machine): string[] {
  const patches = writePatches(directory, layout.controlGroup);
  return ['--node-name', node, '--patches', patches, `--ignore-preflight-errors=${notThisMachine}`];
}

/** What a shared machine cannot be for a kubelet. kubeadm merges it into what the cluster says. */
function writePatches(directory: string, controlGroup: string): string {
  const patches = path.join(directory, 'patches');
  mkdirSync(patches);
  writeFileSync(
    path.join(patches, 'kubeletconfiguration+merge.json'),
    JSON.stringify(sharedMachineSettings(controlGroup)),
  );
  return patches;
}
