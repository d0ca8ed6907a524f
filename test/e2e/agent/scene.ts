// Our gateway with one cluster whose API server is a backend that says who it is, and everything an agent needs for it.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import { type RunningAgent, startAgent } from '../../../src/agent/agent.ts';
import { type AgentFlags, readOptions } from '../../../src/agent/options.ts';
import { builtInEngine, type ListenerKind, type RunningGateway, type Snapshot } from '../../../src/gateway/index.ts';
import type { Vantage } from '../../../src/net/wire/index.ts';
import type { Level, Log } from '../../../src/sys/log.ts';
import { greetingBackend } from '../../support/gateway/backends.ts';
import { type Certificate, createAuthority } from '../../support/gateway/certificates.ts';
import { createTokenKey, tokenFor } from '../../support/gateway/tokens.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { temporaryDirectory } from '../gateway/world.ts';

export const tunnelName = 'tunnel.west.example';

export interface Scene {
  readonly directory: string;
  readonly snapshot: Snapshot;
  readonly caFile: string;
  /** A client certificate for the agents of a cluster. */
  clientCertificate(cluster: string): Certificate;
  readonly tokenFile: string;
  /** Writes a token for `cluster` that is valid for so long. */
  writeToken(cluster: string, seconds?: number): string;
  startGateway(tunnelPort?: number): Promise<RunningGateway>;
}

export async function createScene(
  t: Undo,
  authentication: Snapshot['tunnel']['authentication'] = 'token',
): Promise<Scene> {
  const directory = temporaryDirectory(t, 'agent');
  const authority = createAuthority(path.join(directory, 'pki'), 'Gateway CA');
  const apiServer = createAuthority(path.join(directory, 'cluster'), 'kubernetes');
  const backend = await greetingBackend('shop', apiServer.issue({ commonName: 'kube-apiserver', ips: ['10.96.0.1'] }));
  t.after(() => backend.stop());
  const key = createTokenKey();
  const { certFile, keyFile } = authority.issue({ commonName: tunnelName, dns: [tunnelName] });
  const tokenFile = path.join(directory, 'token');
  const snapshot: Snapshot = {
    version: '1',
    seed: 'west',
    listeners: { tunnel: 0, single: 0, nodePortRange: '30000-32767' },
    tunnel: {
      name: tunnelName,
      authentication,
      ...(authentication === 'none' ? {} : { certificate: { certFile, keyFile } }),
      ...(authentication === 'token' ? { publicKeys: [key.publicKey] } : {}),
      ...(authentication === 'certificate' ? { clientAuthorities: [authority.cert] } : {}),
    },
    trustedBalancers: [],
    clusters: {
      shop: {
        apiServer: {
          sni: 'shop.west.example',
          authority: 'apiserver-external.cluster-shop.svc.cluster.local:443',
          backends: [backend.target],
        },
        konnectivity: { sni: 'konnectivity-server.shop.west.example', backends: [] },
        idleTimeout: '10m',
      },
    },
  };
  const writeToken = (cluster: string, seconds = 3_600): string => {
    const token = tokenFor(cluster, key, seconds);
    writeFileSync(tokenFile, `${token}\n`);
    return token;
  };
  writeToken('shop');
  const startGateway = async (tunnelPort = 0): Promise<RunningGateway> => {
    const gateway = await builtInEngine.start({
      snapshot: { ...snapshot, listeners: { ...snapshot.listeners, tunnel: tunnelPort } },
      addresses: ['127.0.0.1'],
      workers: 1,
    });
    t.after(() => gateway.stop(0));
    return gateway;
  };
  const clientCertificate = (cluster: string): Certificate =>
    authority.issue({ commonName: cluster, organisation: 'causeway:tunnel' });
  return { directory, snapshot, caFile: authority.certFile, clientCertificate, tokenFile, writeToken, startGateway };
}

export function portOf(gateway: RunningGateway, kind: ListenerKind): number {
  const found = gateway.listening().find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`nothing listens for ${kind}`);
  return found.port;
}

export interface Line {
  readonly level: Level;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function recordingLog(): { log: Log; lines: Line[] } {
  const lines: Line[] = [];
  const write =
    (level: Level) =>
    (message: string, fields = {}): void =>
      void lines.push({ level, message, fields });
  return { lines, log: { info: write('info'), warn: write('warn'), error: write('error') } };
}

let agents = 0;
export const flagsFor = ({ caFile, tokenFile, directory }: Scene, tunnelPort: number): AgentFlags => ({
  gateway: [`127.0.0.1:${tunnelPort}`],
  cluster: 'shop',
  listen: '127.0.0.1:0',
  name: tunnelName,
  ca: caFile,
  tokenFile,
  admin: `unix:${path.join(directory, `agent-${++agents}.sock`)}`,
});

export async function agentFor(t: Undo, flags: AgentFlags, log: Log, vantage?: Vantage): Promise<RunningAgent> {
  const agent = await startAgent(readOptions(flags), log, vantage);
  t.after(() => agent.stop(0));
  return agent;
}

/** As a pod does: TLS to an address, without SNI. What the API server says first; rejects when it is cut. */
export const greeting = (port: number, host = '127.0.0.1'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = tlsConnect({ host, port, rejectUnauthorized: false });
    socket.once('data', (chunk) => {
      resolve(chunk.toString());
      socket.destroy();
    });
    socket.once('error', reject).once('end', () => reject(new Error('ended')));
  });
