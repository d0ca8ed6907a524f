// A worker's dataplane in this process, on real sockets, for tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Certificate, createAuthority } from '../../../../test/support/gateway/certificates.ts';
import type { Place } from '../../../../test/support/gateway/clients.ts';
import type { Undo } from '../../../../test/support/gateway/undo.ts';
import { listen } from '../../../net/wire/index.ts';
import type { Log, LogFields } from '../../../sys/log.ts';
import type { ListenerKind } from '../../engine.ts';
import { diffSnapshots, type Snapshot, type SnapshotCluster } from '../../snapshot/index.ts';
import { createDataplane, type Dataplane, type DataplaneOptions } from '../dataplane.ts';

export interface DataplaneFixture {
  readonly dataplane: Dataplane;
  /** What was logged: refusals. */
  readonly logged: LogFields[];
  /** Exchanges the clusters; all others are removed. */
  apply(clusters: Record<string, SnapshotCluster>, settings?: Partial<Snapshot>): void;
  /** Opens a listener; `port` is what routes know it by. */
  listener(kind: ListenerKind, port?: number): Promise<Place>;
}

export function createFixture(undo: Undo, options: DataplaneOptions = {}): DataplaneFixture {
  const logged: LogFields[] = [];
  const warn = (_message: string, fields: LogFields = {}): void => void logged.push(fields);
  const log: Log = { info: () => {}, warn, error: warn };
  const dataplane = createDataplane({ log, ...options });
  undo.after(() => dataplane.close());
  let current: Snapshot | undefined;
  return {
    dataplane,
    logged,
    apply: (clusters, settings = {}) => {
      const next = { ...emptySnapshot, ...settings, clusters };
      dataplane.apply(diffSnapshots(current, next));
      current = next;
    },
    listener: async (kind, port) => {
      const listening = await listen('127.0.0.1', 0, (wire) => dataplane.accept(listener, wire));
      const { local } = listening;
      const listener = { kind, address: '127.0.0.1', port: port ?? local.port };
      undo.after(() => listening.close());
      return { host: '127.0.0.1', port: local.port };
    },
  };
}

const emptySnapshot: Snapshot = {
  version: '1',
  seed: 'test',
  listeners: { sni: 6443, nodePortRange: '30000-32767' },
  tunnel: { name: 'tunnel.example.test', authentication: 'none' },
  trustedBalancers: [],
  clusters: {},
};

/** A cluster `NAME` with the server names NAME.example.test and konnectivity.NAME.example.test. */
export function cluster(
  name: string,
  backends: readonly string[],
  more: Partial<SnapshotCluster> = {},
): SnapshotCluster {
  return {
    apiServer: { sni: `${name}.example.test`, authority: `${name}.svc:443`, backends },
    konnectivity: { sni: `konnectivity.${name}.example.test`, backends },
    idleTimeout: '10m',
    ...more,
  };
}

export const nameOf = (name: string): string => `${name}.example.test`;

/** For backends; clients of these tests check nothing. */
export function testCertificate(undo: Undo): Certificate {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-'));
  undo.after(() => rmSync(directory, { recursive: true, force: true }));
  return createAuthority(directory, 'backend.example.test');
}
