// What the gateway of a seed runs by on this machine: as planned, with control planes where they really are.
import { hash } from 'node:crypto';
import type { Snapshot, SnapshotCluster } from '../../gateway/index.ts';
import type { GatewaySnapshot } from '../../plan/schema/index.ts';
import type { InnerPorts } from '../../runtime/local/ports.ts';
import { loopback } from '../../runtime/local/resolve-workload.ts';

export interface LocalFacts {
  /** Key of this platform that signs agents' tokens, beside those of the manifests. */
  readonly tokenKey: string;
  /** Of the control planes that this machine runs. */
  readonly ports: ReadonlyMap<string, InnerPorts>;
  /** Clusters that are to be served. */
  isServed(cluster: string): boolean;
}

export function localSnapshot(planned: GatewaySnapshot, facts: LocalFacts): Snapshot {
  const { version: _, clusters, tunnel, ...rest } = planned;
  const served = Object.entries(clusters).filter(([name]) => facts.isServed(name));
  const content = {
    ...rest,
    tunnel: { ...tunnel, publicKeys: [...(tunnel.publicKeys ?? []), facts.tokenKey] },
    clusters: Object.fromEntries(served.map(([name, cluster]) => [name, placed(cluster, facts.ports.get(name))])),
  };
  return { version: hash('sha256', JSON.stringify(content)).slice(0, 16), ...content };
}

function placed(cluster: SnapshotCluster, ports: InnerPorts | undefined): SnapshotCluster {
  if (ports === undefined) return cluster;
  return {
    ...cluster,
    apiServer: { ...cluster.apiServer, backends: [`${loopback}:${ports.apiServer}`] },
    konnectivity: { ...cluster.konnectivity, backends: [`${loopback}:${ports.konnectivityAgents}`] },
  };
}
