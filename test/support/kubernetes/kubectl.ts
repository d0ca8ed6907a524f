// kubectl as people and pods use it: one kubeconfig per way in.
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Conversation } from '../gateway/conversation.ts';
import type { Undo } from '../gateway/undo.ts';
import type { Cluster } from './cluster.ts';

export interface Way {
  readonly host?: string;
  readonly port: number;
  /** Sent as SNI and looked for in the certificate; an address is only looked for. */
  readonly serverName?: string;
  readonly proxy?: string;
  /** Another cluster's token, to see it refused. */
  readonly token?: string;
}

export interface Kubectl {
  (args: readonly string[], input?: string): Promise<string>;
  /** The first line in time, and then what follows. */
  watch(t: Undo, args: readonly string[]): Conversation;
}

const runFile = promisify(execFile);
let configs = 0;

export function kubectlFor(program: string, cluster: Cluster, way: Way): Kubectl {
  const kubeconfig = path.join(cluster.directory, `kubeconfig-${++configs}.json`);
  writeFileSync(kubeconfig, JSON.stringify(configOf(cluster, way)));
  const common = ['--kubeconfig', kubeconfig, '--cache-dir', path.join(cluster.directory, 'cache')];
  const once = async (args: readonly string[], input?: string): Promise<string> => {
    const running = runFile(program, [...common, '--request-timeout=30s', ...args], { maxBuffer: 256 * 1024 * 1024 });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  return Object.assign(once, {
    watch: (t: Undo, args: readonly string[]) => {
      const child = spawn(program, [...common, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      t.after(() => child.kill('SIGKILL'));
      return new Conversation(child.stdout as never);
    },
  });
}

function configOf(cluster: Cluster, { host = '127.0.0.1', port, serverName, proxy, token }: Way): object {
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    users: [{ name: 'it', user: { token: token ?? cluster.token } }],
    clusters: [
      {
        name: 'it',
        cluster: {
          server,
          'certificate-authority': cluster.authority.certFile,
          ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
          ...(proxy === undefined ? {} : { 'proxy-url': proxy }),
        },
      },
    ],
  };
}
