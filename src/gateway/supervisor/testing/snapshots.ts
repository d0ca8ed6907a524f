// Snapshots for tests: clusters by name, each with one backend.
import type { Snapshot, SnapshotCluster } from '../../snapshot/index.ts';

export const clusterTo = (name: string, backend: string, more: Partial<SnapshotCluster> = {}): SnapshotCluster => ({
  apiServer: {
    sni: `${name}.example`,
    authority: `apiserver-external.cluster-${name}.svc.cluster.local:443`,
    backends: [backend],
  },
  konnectivity: { sni: `konnectivity-server.${name}.example`, backends: [backend] },
  idleTimeout: '1h',
  ...more,
});

export const snapshotOf = (
  version: string,
  clusters: Readonly<Record<string, SnapshotCluster>>,
  more: Partial<Snapshot> = {},
): Snapshot => ({
  version,
  seed: 'test',
  listeners: { sni: 0, nodePortRange: '20000-60000' },
  tunnel: { name: 'tunnel.example', authentication: 'token' },
  trustedBalancers: [],
  clusters,
  ...more,
});
