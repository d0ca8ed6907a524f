// What is left of a snapshot when a port of it is taken, and who is lost with it.

import { hostPort } from '../../core/host-port.ts';
import type { Snapshot, SnapshotCluster, SnapshotRoute } from '../../gateway/index.ts';
import { type Verdict, verdictOf } from '../../reconcile/index.ts';

export interface Rest {
  readonly snapshot: Snapshot;
  /** The port was one for many clusters. */
  readonly shared: boolean;
  /** Clusters that nobody reaches without it. */
  readonly lost: readonly string[];
}

/** Undefined: the complaint is not about a port, or about all of them. */
export function withoutTaken(snapshot: Snapshot, addresses: readonly string[], why: string): Rest | undefined {
  const isNamed = (address: string, port: number | undefined): boolean =>
    port !== undefined && why.includes(`on ${hostPort(address, port)}:`);
  const isTaken = ({ nodePort, port, addresses: own = [] }: SnapshotRoute): boolean =>
    addresses.some((address) => isNamed(address, nodePort)) || own.some((address) => isNamed(address, port));
  const lost = namesOf(snapshot, ({ apiServer, konnectivity }) => isTaken(apiServer) || isTaken(konnectivity));
  if (lost.length > 0) return { lost, shared: false, snapshot: withoutClusters(snapshot, lost) };
  const kind = (['sni', 'tunnel', 'single'] as const).find((one) =>
    addresses.some((address) => isNamed(address, snapshot.listeners[one])),
  );
  if (kind === undefined) return undefined;
  const { [kind]: _, ...listeners } = snapshot.listeners;
  return { lost: namesOf(snapshot, sharesPorts), shared: true, snapshot: { ...marked(snapshot, kind), listeners } };
}

/** It has no port of its own. */
const sharesPorts = ({ apiServer: { nodePort, port } }: SnapshotCluster): boolean =>
  nodePort === undefined && port === undefined;

const namesOf = ({ clusters }: Snapshot, wanted: (cluster: SnapshotCluster) => boolean): string[] =>
  Object.entries(clusters).flatMap(([name, cluster]) => (wanted(cluster) ? [name] : []));

const withoutClusters = (snapshot: Snapshot, names: readonly string[]): Snapshot => ({
  ...marked(snapshot, names.join('-')),
  clusters: Object.fromEntries(Object.entries(snapshot.clusters).filter(([name]) => !names.includes(name))),
});

const marked = (snapshot: Snapshot, mark: string): Snapshot => ({
  ...snapshot,
  version: `${snapshot.version}-${mark}`.slice(0, 60),
});

/** The gateway speaks of its snapshot, and here there are manifests. */
export function listenProblem(error: unknown): Verdict {
  const problem = verdictOf(error);
  const port = /:(\d+): another program listens there$/.exec(problem.message)?.[1];
  if (port === undefined) return problem;
  return { ...problem, fix: `stop what "ss -ltnp sport = :${port}" shows, or choose another port in the manifests` };
}
