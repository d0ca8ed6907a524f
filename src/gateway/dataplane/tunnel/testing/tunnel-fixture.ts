// For tests: the tunnel's server with a listener, backends that echo, and a note of every refusal.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { signToken } from '../../../../net/index.ts';
import { listen, localDial, splice, type Wire } from '../../../../net/wire/index.ts';
import type { RefusalCode } from '../../../refusals.ts';
import { ClusterEntry } from '../../../snapshot/cluster-entry.ts';
import type { SnapshotChange } from '../../../snapshot/snapshot.ts';
import type { OpenDone, OpenedConnection, OpenRequest, TunnelHost } from '../../interfaces.ts';
import { createTunnelServer, type TunnelServer, type TunnelServerOptions } from '../tunnel-server.ts';

export const authorityOf = (cluster: string): string => `apiserver-external.cluster-${cluster}.svc.cluster.local:443`;

export interface TunnelFixture {
  readonly port: number;
  readonly server: TunnelServer;
  readonly refused: RefusalCode[];
  readonly details: (string | undefined)[];
  /** Dials that are under way, and the most there have been. */
  readonly dials: { now: number; most: number; abandoned: number };
  /** Connections that backends got. */
  readonly opened: OpenRequest[];
  readonly key: KeyObject;
  apply(tunnel: Partial<SnapshotChange['settings']['tunnel']>, changed?: SnapshotChange['changed']): void;
  token(cluster: string, lifeMs?: number, node?: string): string;
  /** As a gateway does before it drains. */
  stopListening(): void;
}

export async function echoServer(t: TestContext, onSocket?: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (onSocket === undefined) socket.pipe(socket);
    else onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as { port: number }).port;
}

class Opened implements OpenedConnection {
  readonly upstream = { address: '127.0.0.1', port: 0 };
  #wire: Wire | undefined;
  #cancel: () => void = () => {};
  constructor(port: number, done: OpenDone) {
    this.#cancel = localDial('127.0.0.1', port, 2000, (_error, wire) => {
      this.#wire = wire;
      if (wire === undefined) done('no-backend');
      else done(undefined, this);
    });
  }
  carry(client: Wire): void {
    splice(client, this.#wire as Wire, { sent: 0, received: 0 }, () => {});
  }
  abandon(): void {
    this.#cancel();
    this.#wire?.destroy(true);
  }
}

/** A backend that does not answer. */
class Unanswered implements OpenedConnection {
  readonly upstream = { address: '192.0.2.1', port: 1 };
  readonly #dials: TunnelFixture['dials'];
  constructor(dials: TunnelFixture['dials']) {
    this.#dials = dials;
    dials.now += 1;
    dials.most = Math.max(dials.most, dials.now);
  }
  carry(client: Wire): void {
    client.destroy(true);
  }
  abandon(): void {
    this.#dials.now -= 1;
    this.#dials.abandoned += 1;
  }
}

export interface TunnelFixtureOptions extends TunnelServerOptions {
  readonly backend?: number;
  /** Backends do not answer. */
  readonly unanswered?: boolean;
  readonly tunnel?: Partial<SnapshotChange['settings']['tunnel']>;
}

export async function tunnelFixture(t: TestContext, options: TunnelFixtureOptions = {}): Promise<TunnelFixture> {
  const backend = options.backend ?? (await echoServer(t));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const clusters = new Map(['one', 'two'].map((name) => [authorityOf(name), clusterEntry(name, backend)]));
  const refused: RefusalCode[] = [];
  const opened: OpenRequest[] = [];
  const details: TunnelFixture['details'] = [];
  const dials = { now: 0, most: 0, abandoned: 0 };
  const host: TunnelHost = {
    byAuthority: (authority) => clusters.get(authority)?.apiServer,
    open: (request, done) => {
      opened.push(request);
      return options.unanswered === true ? new Unanswered(dials) : new Opened(backend, done);
    },
    claimFile: () => undefined,
    giveFile: () => {},
    refuse: (code, { detail }) => {
      refused.push(code);
      details.push(detail);
    },
  };
  const server = createTunnelServer(host, options);
  const listener = { kind: 'tunnel', address: '127.0.0.1', port: 8088 } as const;
  const listening = await listen('127.0.0.1', 0, (wire) => server.accept(wire, Buffer.alloc(0), wire.remote, listener));
  t.after(() => {
    listening.close();
    server.close();
  });
  const publicKeys = [publicKey.export({ type: 'spki', format: 'pem' }).toString()];
  const settings = { seed: 's', listeners: { nodePortRange: '30000-32767' }, trustedBalancers: [] };
  const apply: TunnelFixture['apply'] = (tunnel, changed = {}) => {
    const wanted = { name: 'tunnel.example', authentication: 'none', publicKeys, ...tunnel } as const;
    server.apply({ version: '1', settings: { ...settings, tunnel: wanted }, changed, removed: [] });
  };
  apply(options.tunnel ?? {});
  const token: TunnelFixture['token'] = (cluster, lifeMs = 60_000, node) =>
    signToken(
      {
        ...{ cluster, issuedAt: Date.now() - 120_000, expiresAt: Date.now() + lifeMs },
        ...(node === undefined ? {} : { node }),
      },
      privateKey,
    );
  const stopListening = (): void => listening.close();
  return {
    port: listening.local.port,
    stopListening,
    server,
    refused,
    details,
    dials,
    opened,
    key: privateKey,
    apply,
    token,
  };
}

function clusterEntry(name: string, backend: number): ClusterEntry {
  const route = { backends: [`127.0.0.1:${backend}`] };
  return new ClusterEntry(name, {
    apiServer: { ...route, authority: authorityOf(name) },
    konnectivity: route,
    idleTimeout: '10m',
  });
}
