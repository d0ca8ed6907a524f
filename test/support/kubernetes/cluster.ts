// A control plane as a seed runs it: etcd and kube-apiserver, with certificates for the names that the plan gives them.
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { type Running, run } from '../child-process.ts';
import { type Authority, type Certificate, createAuthority } from '../gateway/certificates.ts';
import { freePort } from '../gateway/ports.ts';
import type { Undo } from '../gateway/undo.ts';
import { until } from '../gateway/until.ts';

export const serviceIp = '10.240.16.1';
export const agentIp = '100.64.30.10';

export interface Cluster {
  readonly name: string;
  readonly directory: string;
  readonly authority: Authority;
  /** Of an administrator of this cluster only. */
  readonly token: string;
  readonly apiServer: { readonly port: number; readonly target: string };
  /** http://127.0.0.1:port */
  readonly etcd: string;
  /** Of the API server. */
  readonly process: Running;
  /** Kills the API server and starts it again, with these flags as well. */
  restart(...flags: string[]): Promise<void>;
}

export interface Programs {
  readonly etcd: string;
  readonly 'kube-apiserver': string;
}

/** Starts both, and waits until the API server is ready. */
export async function startCluster(t: Undo, programs: Programs, name: string, parent: string): Promise<Cluster> {
  const directory = path.join(parent, name);
  const authority = createAuthority(path.join(directory, 'pki'), `authority of ${name}`);
  const etcd = await startEtcd(t, programs.etcd, directory);
  const port = await freePort();
  const token = `token-of-${name}-${Math.random().toString(36).slice(2)}`;
  writeFileSync(path.join(directory, 'tokens.csv'), `${token},admin-of-${name},1,system:masters\n`);
  const certificate = authority.issue(namesOf(name));
  const args = apiServerFlags({ directory, etcd: etcd.url, port, authority, certificate });
  const start = (flags: readonly string[]): Running =>
    run(t, { program: programs['kube-apiserver'], args: [...args, ...flags] });
  const ready = (): Promise<void> => until(async () => (await isReady(cluster)) || failed(cluster.process), 90_000);
  const cluster = {
    ...{ name, directory, authority, token, apiServer: { port, target: `127.0.0.1:${port}` }, etcd: etcd.url },
    process: start([]),
    async restart(...flags: string[]) {
      await cluster.process.kill();
      cluster.process = start(flags);
      await ready();
    },
  };
  await ready();
  return cluster;
}

const namesOf = (name: string) => ({
  commonName: 'kube-apiserver',
  dns: [
    `${name}.west.example.com`,
    ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
    `apiserver-external.cluster-${name}.svc.cluster.local`,
  ],
  ips: [serviceIp, '127.0.0.1', agentIp],
});

function failed({ hasEnded, said }: Running): false {
  if (hasEnded()) throw new Error(`it ended:\n${said().slice(-2_000)}`);
  return false;
}

async function startEtcd(t: Undo, program: string, directory: string): Promise<{ url: string }> {
  const [client, peer] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${client}`;
  run(t, {
    program,
    args: [
      `--data-dir=${path.join(directory, 'etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync',
      '--log-level=error',
    ],
  });
  return { url };
}

interface ApiServer {
  readonly directory: string;
  readonly etcd: string;
  readonly port: number;
  readonly authority: Certificate;
  readonly certificate: Certificate;
}

const apiServerFlags = ({ directory, etcd, port, authority, certificate }: ApiServer): string[] => [
  `--etcd-servers=${etcd}`,
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  `--tls-cert-file=${certificate.certFile}`,
  `--tls-private-key-file=${certificate.keyFile}`,
  `--client-ca-file=${authority.certFile}`,
  `--token-auth-file=${path.join(directory, 'tokens.csv')}`,
  '--service-cluster-ip-range=10.240.16.0/20',
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${authority.certFile}`,
  `--service-account-signing-key-file=${authority.keyFile}`,
  '--authorization-mode=RBAC',
  '--endpoint-reconciler-type=none',
  '--advertise-address=127.0.0.1',
  // No controller makes default service accounts here.
  '--disable-admission-plugins=ServiceAccount',
  '--v=0',
];

export function isReady({
  apiServer,
  authority,
  token,
}: Pick<Cluster, 'apiServer' | 'authority' | 'token'>): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const options = {
    host: '127.0.0.1',
    port: apiServer.port,
    path: '/readyz',
    ca: authority.cert,
    headers,
    agent: false,
  };
  return new Promise((resolve) => {
    request(options, (response) => resolve(response.resume().statusCode === 200))
      .on('error', () => resolve(false))
      .end();
  });
}
