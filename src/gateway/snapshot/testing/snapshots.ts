// Snapshots for tests: one that is right, and many that chance made.
import fc from 'fast-check';
import type { Snapshot, SnapshotCluster, SnapshotRoute } from '../snapshot.ts';

export const sampleRoute = (route: Partial<SnapshotRoute> = {}): SnapshotRoute => ({
  backends: ['10.5.0.1:6443'],
  ...route,
});

export const sampleCluster = (name: string, cluster: Partial<SnapshotCluster> = {}): SnapshotCluster => ({
  apiServer: sampleRoute({ sni: `${name}.west.example.com`, authority: `apiserver-external.cluster-${name}.svc:443` }),
  konnectivity: sampleRoute({ sni: `konnectivity-server.${name}.west.example.com` }),
  idleTimeout: '10m',
  ...cluster,
});

export const sampleSnapshot = (
  clusters: Readonly<Record<string, SnapshotCluster>> = { web: sampleCluster('web') },
  rest: Partial<Snapshot> = {},
): Snapshot => ({
  version: '1',
  seed: 'west',
  listeners: { sni: 6443, tunnel: 8088, single: 443, nodePortRange: '30000-32767' },
  tunnel: { name: 'tunnel.west.example.com', authentication: 'token' },
  trustedBalancers: [],
  clusters,
  ...rest,
});

/** Few things to claim, so that they go from one cluster to another all the time. */
const claimNumbers = fc.shuffledSubarray(Array.from({ length: 12 }, (_, i) => i));
const names = ['web', 'shop', 'constructor', 'a-1', 'x'];

function routeOf(claim: number | undefined, backends: readonly string[]): SnapshotRoute {
  if (claim === undefined) return { backends };
  const kinds: readonly Omit<SnapshotRoute, 'backends'>[] = [
    { sni: `n${claim}.example` },
    { sni: `N${claim}.Example.`, authority: `A${claim}.example:443` },
    { nodePort: 30_000 + claim },
    { addresses: [`192.0.2.${claim}`, `2001:DB8::${claim}`], port: 443 },
  ];
  return { ...kinds[claim % kinds.length], backends };
}

const limits = fc.record(
  {
    allowedSourceRanges: fc.constantFrom(['10.0.0.0/8'], []),
    maxConnections: fc.nat(3),
    backendProxyProtocol: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Always acceptable. Keys come in any order. */
export const arbitrarySnapshot: fc.Arbitrary<Snapshot> = fc
  .record({
    clusters: fc.shuffledSubarray(names),
    claims: claimNumbers,
    limits: fc.array(limits, { minLength: names.length, maxLength: names.length }),
    backends: fc.constantFrom(['10.5.0.1:6443'], ['10.5.0.1:6443', '[2001:db8::5]:6443'], []),
    version: fc.nat(99).map(String),
  })
  .map(({ clusters, claims, limits: chosen, backends, version }) => {
    const entries = clusters.map((name, i) => [
      name,
      {
        apiServer: routeOf(claims[2 * i], backends),
        konnectivity: routeOf(claims[2 * i + 1], backends),
        idleTimeout: '5m',
        ...chosen[i],
      } satisfies SnapshotCluster,
    ]);
    return sampleSnapshot(Object.fromEntries(entries), { version });
  });
