// Upstream's konnectivity: its server beside an API server, its agent on a worker.
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { type Running, run } from '../child-process.ts';
import type { Authority } from '../gateway/certificates.ts';
import { type Conversation, opened } from '../gateway/conversation.ts';
import { freePort } from '../gateway/ports.ts';
import type { Undo } from '../gateway/undo.ts';

export interface KonnectivityServer {
  /** Where agents come. */
  readonly target: string;
  readonly process: Running;
  /** Whether an agent is connected. */
  isReady(): Promise<boolean>;
  /** As the API server does it: CONNECT over its unix socket, to be dialled by an agent. */
  connectTo(target: string): Promise<{ answer: string; conversation: Conversation }>;
}

interface Place {
  readonly directory: string;
  readonly authority: Authority;
}

export async function startKonnectivityServer(
  t: Undo,
  program: string,
  { directory, authority }: Place,
  name: string,
): Promise<KonnectivityServer> {
  const { certFile, keyFile } = authority.issue({ commonName: 'konnectivity-server', dns: [name], ips: ['127.0.0.1'] });
  const socket = path.join(directory, 'konnectivity.sock');
  const [agentPort, health] = [await freePort(), await freePort()];
  const process = run(t, {
    program,
    args: [
      ...['--mode=http-connect', `--uds-name=${socket}`, '--server-port=0', `--agent-port=${agentPort}`],
      ...[`--cluster-cert=${certFile}`, `--cluster-key=${keyFile}`, '--agent-bind-address=127.0.0.1'],
      ...[`--admin-port=${await freePort()}`, `--health-port=${health}`],
      ...['--health-bind-address=127.0.0.1', '--logtostderr=true', '--v=1'],
    ],
  });
  return {
    target: `127.0.0.1:${agentPort}`,
    process,
    isReady: () =>
      fetch(`http://127.0.0.1:${health}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    connectTo: (target) => connectThrough(socket, target),
  };
}

async function connectThrough(socket: string, target: string): Promise<{ answer: string; conversation: Conversation }> {
  const conversation = await opened(connect(socket), 'connect');
  conversation.send(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const answer = await conversation.line();
  for (let line = answer; line !== ''; ) line = await conversation.line();
  return { answer, conversation };
}

export interface AgentOptions {
  readonly host: string;
  readonly port: number;
  /** http://user:password@host:port, taken from the environment as gRPC does. */
  readonly proxy?: string;
}

/** The agent resolves `host` to 127.0.0.1, by a hosts file that only this process sees. */
export async function startKonnectivityAgent(
  t: Undo,
  program: string,
  { directory, authority }: Place,
  { host, port, proxy }: AgentOptions,
): Promise<Running> {
  const hosts = path.join(directory, 'hosts');
  mkdirSync(directory, { recursive: true });
  writeFileSync(hosts, `127.0.0.1 localhost ${proxy === undefined ? host : ''}\n`);
  const bind = 'mount --bind "$0" /etc/hosts && exec "$@"';
  const args = [
    ...[`--proxy-server-host=${host}`, `--proxy-server-port=${port}`, `--ca-cert=${authority.certFile}`],
    ...[`--admin-server-port=${await freePort()}`, `--health-server-port=${await freePort()}`],
    ...['--health-server-host=127.0.0.1', '--logtostderr=true', '--v=1', '--sync-forever'],
  ];
  return run(t, {
    program: 'unshare',
    args: ['--map-root-user', '--mount', 'sh', '-c', bind, hosts, program, ...args],
    env: proxy === undefined ? {} : { HTTPS_PROXY: proxy, https_proxy: proxy },
  });
}
