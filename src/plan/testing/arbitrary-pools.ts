// Models whose pools are nearly too small, with locks from another time: where allocation goes wrong if it can.
import fc from 'fast-check';
import type { Allocations } from '../../model/index.ts';
import type { AddressPool, Cluster, Model } from '../../model/schema/index.ts';
import {
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  samplePool,
  sampleSeed,
} from './sample-model.ts';

export interface Situation {
  readonly model: Model;
  readonly allocations: Allocations;
}

const clusterNames = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
const address = fc.nat(63).map((last) => `10.9.0.${last}`);
const range = fc.tuple(fc.nat(55), fc.nat(7)).map(([first, length]) => `10.9.0.${first}-10.9.0.${first + length}`);
const network = fc.constantFrom('10.9.0.0/29', '10.9.0.16/28', '10.9.0.40/30', '2001:db8::/125', '2001:db8::100/120');

const poolSpec = fc.record({
  ranges: fc.array(fc.oneof(range, network), { minLength: 1, maxLength: 3 }),
  exclude: fc.option(fc.array(range, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  allocation: fc.constantFrom(undefined, { count: 2 }, { prefix: 30 }),
});

const arbitraryCluster = (name: string): fc.Arbitrary<Cluster> =>
  fc
    .record({
      exposeStrategy: fc.constantFrom('NodePort', 'LoadBalancer', 'Tunneling'),
      loadBalancerIPs: fc.option(fc.array(address, { minLength: 1, maxLength: 1 }), { nil: undefined, freq: 4 }),
      workloadAddresses: fc.constantFrom<Cluster['spec']['workloadAddresses'][]>(
        undefined,
        { count: 0 },
        { count: 3 },
        { ips: ['10.9.0.5'] },
      ),
    })
    .map((spec) => sampleCluster(name, spec));

const arbitraryClusters = fc
  .subarray([...clusterNames])
  .chain((names) => fc.tuple(...names.map(arbitraryCluster)))
  .map((clusters): Cluster[] => clusters);

/** Each address at most once, as in every lock that was ever written. */
const lockEntries = fc.uniqueArray(
  fc.tuple(fc.constantFrom('seed', 'apps'), fc.constantFrom(...clusterNames, 'gone'), address),
  {
    maxLength: 6,
    comparator: (a, b) => a[2] === b[2] || (a[0] === b[0] && a[1] === b[1]),
  },
);

const lockedPorts = fc.uniqueArray(fc.constantFrom(...clusterNames, 'gone'), { maxLength: 4 });

export const arbitrarySituation: fc.Arbitrary<Situation> = fc
  .record({ seedPool: poolSpec, appsPool: poolSpec, clusters: arbitraryClusters, lockEntries, lockedPorts })
  .map(({ seedPool, appsPool, clusters, lockEntries: entries, lockedPorts: ports }) => ({
    model: modelOf(
      samplePool('seed', { seed: 'west', ...seedPool }),
      samplePool('apps', { datacenter: 'dc1', ...appsPool }),
      clusters,
    ),
    allocations: {
      pools: { seed: poolLock(entries, 'seed'), apps: poolLock(entries, 'apps') },
      nodePorts: {
        west: Object.fromEntries(
          ports.map((name, i) => [name, { apiServer: 30009 - 2 * i, konnectivity: 30008 - 2 * i }]),
        ),
      },
    },
  }));

const poolLock = (entries: readonly (readonly [string, string, string])[], pool: string): Record<string, string[]> =>
  Object.fromEntries(entries.filter(([of]) => of === pool).map(([, name, text]) => [`cluster/${name}`, [text]]));

const modelOf = (seedPool: AddressPool, appsPool: AddressPool, clusters: Cluster[]): Model =>
  sampleModel({
    platform: samplePlatform({ ingress: { address: { pool: 'seed' } } }),
    seeds: [sampleSeed('west', { gateway: { address: { pool: 'seed' }, nodePortRange: '30000-30011' } })],
    datacenters: [sampleDatacenter('dc1')],
    clusters,
    pools: [appsPool, seedPool],
  });
