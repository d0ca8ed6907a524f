// A seed with two real clusters behind our gateway, every way in at once.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Snapshot } from '../../../src/gateway/index.ts';
import { authorityOf, konnectivityNameOf, nameOf, tunnelName } from '../../conformance/gateway/scene.ts';
import { type Backend, countingRelay } from '../../support/gateway/backends.ts';
import { type Authority, createAuthority } from '../../support/gateway/certificates.ts';
import { type OwnGateway, startGateway } from '../../support/gateway/own-gateway.ts';
import { freePort } from '../../support/gateway/ports.ts';
import { createTokenKey, type TokenKey, tokenFor } from '../../support/gateway/tokens.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { type Cluster, startCluster } from '../../support/kubernetes/cluster.ts';
import { type KonnectivityServer, startKonnectivityServer } from '../../support/kubernetes/konnectivity.ts';

export interface World {
  readonly directory: string;
  readonly red: Cluster;
  readonly blue: Cluster;
  /** Everything that gets to blue's API server goes through it. */
  readonly blueRelay: Backend;
  readonly konnectivity: KonnectivityServer;
  readonly gateway: OwnGateway;
  readonly nodePort: number;
  readonly balanced: { readonly red: string; readonly blue: string; readonly port: number };
  readonly gatewayAuthority: Authority;
  /** A file with a token that the gateway believes. */
  tokenFile(cluster: string): string;
}

export interface WorldPrograms {
  readonly etcd: string;
  readonly 'kube-apiserver': string;
  readonly 'konnectivity-server': string;
}

export function temporaryDirectory(t: Undo, name: string): string {
  const directory = mkdtempSync(path.join(tmpdir(), `causeway-${name}-`));
  t.after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

export async function createWorld(t: Undo, programs: WorldPrograms): Promise<World> {
  const directory = temporaryDirectory(t, 'seed');
  const [red, blue] = await Promise.all([
    startCluster(t, programs, 'red', directory),
    startCluster(t, programs, 'blue', directory),
  ]);
  const blueRelay = await countingRelay('blue api', { host: '127.0.0.1', port: blue.apiServer.port });
  t.after(() => blueRelay.stop());
  const name = konnectivityNameOf('red');
  const konnectivity = await startKonnectivityServer(t, programs['konnectivity-server'], red, name);
  const gatewayAuthority = createAuthority(path.join(directory, 'gateway-pki'), 'authority of the gateway');
  const key = createTokenKey();
  const nodePort = await freePort();
  const balanced = { red: '127.0.1.1', blue: '127.0.1.2', port: await freePort('0.0.0.0') };
  const parts = { red, blueRelay, konnectivity, nodePort, balanced };
  const snapshot = snapshotFor(parts, gatewayAuthority, key);
  const gateway = await startGateway(t, { directory, snapshot });
  const tokenFile = (cluster: string): string => {
    const file = path.join(directory, `${cluster}.token`);
    writeFileSync(file, tokenFor(cluster, key));
    return file;
  };
  return { ...parts, directory, blue, gateway, gatewayAuthority, tokenFile };
}

type Parts = Pick<World, 'red' | 'blueRelay' | 'konnectivity' | 'nodePort' | 'balanced'>;

function snapshotFor(parts: Parts, authority: Authority, key: TokenKey): Snapshot {
  const { red, blueRelay, konnectivity, nodePort, balanced } = parts;
  const { certFile, keyFile } = authority.issue({ commonName: tunnelName, dns: [tunnelName] });
  const routeOf = (cluster: 'red' | 'blue', backends: string[]) => ({
    sni: nameOf(cluster),
    authority: authorityOf(cluster),
    addresses: [balanced[cluster]],
    port: balanced.port,
    backends,
  });
  return {
    version: '1',
    seed: 'west',
    listeners: { sni: 0, tunnel: 0, single: 0, nodePortRange: '1024-65535' },
    tunnel: {
      name: tunnelName,
      authentication: 'token',
      certificate: { certFile, keyFile },
      publicKeys: [key.publicKey],
    },
    trustedBalancers: [],
    clusters: {
      red: {
        apiServer: { ...routeOf('red', [red.apiServer.target]), nodePort },
        konnectivity: { sni: konnectivityNameOf('red'), backends: [konnectivity.target] },
        idleTimeout: '10m',
      },
      blue: {
        apiServer: routeOf('blue', [blueRelay.target]),
        konnectivity: { sni: konnectivityNameOf('blue'), backends: [] },
        idleTimeout: '10m',
      },
    },
  };
}
