// Two clusters, red and blue, each with an API server and a konnectivity server that say who they are.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ListenerKind, Snapshot, SnapshotCluster, SnapshotRoute } from '../../../src/gateway/index.ts';
import { type Backend, greetingBackend } from '../../support/gateway/backends.ts';
import { type Authority, createAuthority } from '../../support/gateway/certificates.ts';
import type { Place } from '../../support/gateway/clients.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import type { TestedEngine, TestedGateway } from './subject.ts';

export const nameOf = (cluster: string): string => `${cluster}.west.example.com`;
export const konnectivityNameOf = (cluster: string): string => `konnectivity-server.${nameOf(cluster)}`;
export const authorityOf = (cluster: string): string => `apiserver-external.cluster-${cluster}.svc.cluster.local:443`;
export const tunnelName = 'tunnel.west.example.com';

export interface Scene {
  readonly directory: string;
  readonly authority: Authority;
  backend(name: string, host?: string): Promise<Backend>;
  start(engine: TestedEngine, snapshot: Snapshot, options?: { workers?: number }): Promise<TestGateway>;
}

/** A started gateway, with its ports. */
export interface TestGateway extends Omit<TestedGateway, 'listening'> {
  at(kind: ListenerKind, host?: string): Place;
}

export function createScene(t: Undo): Scene {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-conformance-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const authority = createAuthority(path.join(directory, 'pki'), 'backends of the suite');
  const certificate = authority.issue({ commonName: 'backend', dns: [nameOf('red'), nameOf('blue')] });
  return {
    directory,
    authority,
    backend: async (name, host) => {
      const backend = await greetingBackend(name, certificate, host);
      t.after(() => backend.stop());
      return backend;
    },
    start: async (engine, snapshot, { workers = 2 } = {}) => {
      const running = await engine.start({ snapshot, addresses: ['127.0.0.1', '::1'], workers });
      t.after(() => running.stop(0));
      return testGatewayOf(running);
    },
  };
}

export const testGatewayOf = (running: TestedGateway): TestGateway => ({
  at: (kind, host = '127.0.0.1') => {
    const found = running.listening().find((each) => each.kind === kind && each.address === host);
    if (found === undefined) throw new Error(`nothing listens for ${kind} on ${host}`);
    return { host, port: found.port };
  },
  apply: (snapshot) => running.apply(snapshot),
  stop: (graceMs) => running.stop(graceMs),
});

let version = 0;

export function snapshotOf(clusters: Record<string, SnapshotCluster>, more: Partial<Snapshot> = {}): Snapshot {
  return {
    version: `v${++version}`,
    seed: 'west',
    listeners: { sni: 0, tunnel: 0, nodePortRange: '1024-65535' },
    tunnel: { name: tunnelName, authentication: 'none' },
    trustedBalancers: [],
    clusters,
    ...more,
  };
}

export const to = (...backends: readonly Backend[]): string[] => backends.map(({ target }) => target);

/** A cluster that is reached in every way but by addresses of its own. */
export function clusterOf(
  name: string,
  routes: { apiServer: readonly string[]; konnectivity?: readonly string[]; nodePort?: number },
  more: Partial<SnapshotCluster> = {},
): SnapshotCluster {
  const { apiServer, konnectivity = [], nodePort } = routes;
  const byPort: Partial<SnapshotRoute> = nodePort === undefined ? {} : { nodePort };
  return {
    apiServer: { sni: nameOf(name), authority: authorityOf(name), ...byPort, backends: apiServer },
    konnectivity: { sni: konnectivityNameOf(name), backends: konnectivity },
    idleTimeout: '10m',
    ...more,
  };
}
