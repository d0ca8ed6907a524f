// The managed cluster of the tests, at home in a directory of the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ControlPlaneInput } from '../../../control-plane/index.ts';
import { sampleInput } from '../../../control-plane/testing/input.ts';
import { type ClusterHome, type ClusterPlace, clusterHome } from '../home.ts';
import type { InnerPorts } from '../ports.ts';

export function scratchDirectory(t: { after(undo: () => unknown): void }): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cw-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Sockets stay in the directory too: its path is short. */
export const homeIn = (directory: string, cluster = 'web'): ClusterHome =>
  clusterHome({ state: path.join(directory, 'state'), run: path.join(directory, 'run'), controlSocket: '' }, cluster);

export const samplePorts: InnerPorts = {
  etcdClient: 21001,
  etcdPeer: 21002,
  etcdMetrics: 21003,
  apiServer: 21004,
  controllerManager: 21005,
  scheduler: 21006,
  konnectivityAgents: 21007,
  konnectivityAdmin: 21008,
  konnectivityHealth: 21009,
};

export type LocalInput = ControlPlaneInput & ClusterPlace;

export const localInput = (home: ClusterHome, changes: Partial<LocalInput> = {}): LocalInput => ({
  ...sampleInput(),
  home,
  ports: samplePorts,
  ...changes,
});
