// What the gateway of a seed runs by: as planned, with control planes where they really are.
import { hash } from 'node:crypto';
import { type HostPort, hostPort } from '../../core/host-port.ts';
import type { Snapshot, SnapshotCluster } from '../../gateway/index.ts';
import type { TokenAuthority } from '../../net/index.ts';
import type { GatewaySnapshot } from '../../plan/schema/index.ts';
import type { ControlPlaneUpstreams } from '../../runtime/platform-runtime.ts';

export interface PlacedFacts {
  /** Key of this platform that signs agents' tokens, beside those of the manifests. */
  readonly tokenKey: string;
  /** Of the control planes that this platform runs. */
  readonly upstreams: ReadonlyMap<string, ControlPlaneUpstreams>;
  /** Who signs the tokens of these. */
  readonly tokenAuthorities: ReadonlyMap<string, TokenAuthority>;
  /** Whose tokens are refused. */
  revocations(cluster: string): Pick<SnapshotCluster, 'evictedNodes' | 'unboundTokensFrom'>;
  /** Clusters that are to be served. */
  isServed(cluster: string): boolean;
}

export function placedSnapshot(planned: GatewaySnapshot, facts: PlacedFacts): Snapshot {
  const { version: _, clusters, tunnel, ...rest } = planned;
  const served = Object.entries(clusters).filter(([name]) => facts.isServed(name));
  const content = {
    ...rest,
    tunnel: { ...tunnel, publicKeys: [...(tunnel.publicKeys ?? []), facts.tokenKey] },
    clusters: Object.fromEntries(
      served.map(([name, cluster]) => [
        name,
        { ...placed(cluster, facts.upstreams.get(name)), ...tokens(name, facts) },
      ]),
    ),
  };
  return { version: hash('sha256', JSON.stringify(content)).slice(0, 16), ...content };
}

function tokens(cluster: string, { tokenAuthorities, revocations }: PlacedFacts): Partial<SnapshotCluster> {
  const authority = tokenAuthorities.get(cluster);
  return { ...(authority === undefined ? {} : { tokenAuthorities: [authority] }), ...revocations(cluster) };
}

function placed(cluster: SnapshotCluster, upstreams: ControlPlaneUpstreams | undefined): SnapshotCluster {
  if (upstreams === undefined) return cluster;
  const backends = ({ host, port }: HostPort): string[] => [hostPort(host, port)];
  return {
    ...cluster,
    apiServer: { ...cluster.apiServer, backends: backends(upstreams.apiServer) },
    konnectivity: { ...cluster.konnectivity, backends: backends(upstreams.konnectivity) },
  };
}
