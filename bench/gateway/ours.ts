// Causeway's own gateway and agent, run as a user runs them.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snapshot, SnapshotCluster } from '../../src/gateway/index.ts';
import { signToken } from '../../src/net/index.ts';
import { apiNameOf, rawNameOf, type StartChangeable } from './change.ts';
import { ourName } from './figures.ts';
import { prepareFile } from './prepare-file.ts';
import { type Program, start } from './processes.ts';
import { freePort, names, type Setting, type StartSubject } from './subject.ts';

/** Another checkout can be measured instead. */
const main = process.env.CAUSEWAY_BENCH_MAIN ?? fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export const startOurSni: StartSubject = (setting) => startMany(setting, 1);

export const startMany: StartChangeable = async (setting, clusters) => {
  const port = await freePort();
  const file = path.join(setting.directory, 'snapshot.json');
  const prepare = (count: number): (() => void) => prepareFile(file, snapshot(setting, { sni: port }, count));
  prepare(clusters)();
  const program = startGateway(setting, 'gateway', file);
  return { name: ourName, address: `127.0.0.1:${port}`, programs: [program], prepare };
};

type Suffix = '' | '-tls';
export const startOurTunnel: StartSubject = (setting) => startPair(setting, '');
export const startOurTunnelTls: StartSubject = (setting) => startPair(setting, '-tls');

async function startPair(setting: Setting, suffix: Suffix): ReturnType<StartSubject> {
  const [gateway, agent] = [await freePort(), await freePort()];
  const file = path.join(setting.directory, `snapshot-tunnel${suffix}.json`);
  const { tunnel, flags } = suffix === '' ? plain : withTls(setting);
  prepareFile(file, snapshot(setting, { tunnel: gateway }, 1, tunnel))();
  const to = ['agent', '--gateway', `127.0.0.1:${gateway}`, '--cluster', names.cluster];
  const args = [...to, '--listen', `127.0.0.1:${agent}`, '--admin', adminOf(setting, `agent${suffix}`), ...flags];
  return {
    name: ourName,
    address: `127.0.0.1:${agent}`,
    programs: [startGateway(setting, `gateway${suffix}`, file), startOwn(setting, `agent${suffix}`, args)],
  };
}

/** As stock Envoy agents are let in: cleartext, nobody asks who it is. */
const plain = { tunnel: { name: names.tunnel, authentication: 'none' }, flags: ['--plaintext'] } as const;

/** As ours are: TLS, and a token says which cluster the agent is of. */
function withTls({ directory }: Setting): { tunnel: Snapshot['tunnel']; flags: readonly string[] } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const now = Date.now();
  const tokenFile = path.join(directory, 'token');
  writeFileSync(
    tokenFile,
    signToken({ cluster: names.cluster, issuedAt: now, expiresAt: now + 86_400_000 }, privateKey),
  );
  const tunnel = {
    name: names.tunnel,
    authentication: 'token',
    certificate: { certFile: 'tls.crt', keyFile: 'tls.key' },
    publicKeys: [publicKey.export({ type: 'spki', format: 'pem' }).toString()],
  } as const;
  return {
    tunnel,
    flags: ['--ca', path.join(directory, 'tls.crt'), '--name', names.tunnel, '--token-file', tokenFile],
  };
}

function startGateway(setting: Setting, name: string, snapshotFile: string): Program {
  const args = ['gateway', '--snapshot', snapshotFile, '--listen', '127.0.0.1', '--admin', adminOf(setting, name)];
  return startOwn(setting, name, [...args, '--workers', String(setting.workers)]);
}

const adminOf = ({ directory }: Setting, name: string): string => `unix:${path.join(directory, `${name}.sock`)}`;

function startOwn(setting: Setting, name: string, args: readonly string[]): Program {
  // By the environment, which workers inherit; one directory for each program.
  const profile = setting.profiles && `--cpu-prof --cpu-prof-dir=${path.join(setting.profiles, name)}`;
  return start({
    name: `causeway ${name}`,
    file: process.execPath,
    args: [main, ...args],
    log: path.join(setting.directory, `${name}.log`),
    ...(profile && { env: { NODE_OPTIONS: profile } }),
  });
}

function snapshot(
  setting: Setting,
  ports: { sni?: number; tunnel?: number },
  clusters: number,
  tunnel: Snapshot['tunnel'] = plain.tunnel,
): Snapshot {
  const all = Array.from({ length: clusters }, (_, i) => [`c${i + 1}`, clusterOf(i + 1, setting.backend)] as const);
  return {
    version: String(clusters),
    seed: 'bench',
    listeners: { ...ports, nodePortRange: '30000-32767' },
    tunnel,
    trustedBalancers: [],
    clusters: Object.fromEntries(all),
  };
}

function clusterOf(cluster: number, backend: number): SnapshotCluster {
  const namespace = `cluster-c${cluster}.svc.cluster.local:443`;
  const backends = [`127.0.0.1:${backend}`];
  return {
    apiServer: { sni: apiNameOf(cluster), authority: `apiserver-external.${namespace}`, backends },
    konnectivity: { sni: rawNameOf(cluster), authority: `konnectivity-server.${namespace}`, backends },
    idleTimeout: '1h',
  };
}
