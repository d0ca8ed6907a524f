// Valid platforms of every shape, for laws: several seeds, datacenters, clusters, strategies and address families.
// Choices are drawn independently and joined afterwards, so that a failing platform shrinks to a small one.
import fc from 'fast-check';
import type { Cluster, Model } from '../../model/schema/index.ts';
import { arbitraryPlatform, type PlatformChoices, platformOf } from './arbitrary-platform.ts';
import {
  arbitraryDatacenter,
  arbitrarySeed,
  type DatacenterChoices,
  datacenterOf,
  type SeedChoices,
  seedOf,
  seedPoolOf,
} from './arbitrary-sites.ts';
import { sampleCluster, samplePool } from './sample-model.ts';

export interface ModelSize {
  readonly seeds?: number;
  readonly datacenters?: number;
  readonly clusters?: number;
}

interface ClusterChoices {
  readonly datacenter: number;
  readonly strategy: 'NodePort' | 'LoadBalancer' | 'Tunneling' | undefined;
  readonly single: boolean | undefined;
  readonly throughProxy: boolean | undefined;
  readonly dualStack: boolean;
  readonly version: string;
  readonly cni: 'cilium' | 'canal' | undefined;
  readonly ownAddress: boolean;
  /** In its tenant, where the datacenter has one. */
  readonly tenant: boolean;
  readonly external: boolean;
}

interface ModelChoices {
  readonly platform: PlatformChoices;
  readonly seeds: readonly SeedChoices[];
  readonly datacenters: readonly DatacenterChoices[];
  readonly clusters: readonly ClusterChoices[];
}

const arbitraryCluster: fc.Arbitrary<ClusterChoices> = fc.record({
  datacenter: fc.nat(99),
  strategy: fc.constantFrom(undefined, 'NodePort', 'LoadBalancer', 'Tunneling'),
  single: fc.constantFrom(undefined, true, false),
  throughProxy: fc.constantFrom(undefined, true, false),
  dualStack: fc.boolean(),
  version: fc.constantFrom('1.34.2', '1.35.1', '1.36.3'),
  cni: fc.constantFrom(undefined, 'cilium', 'canal'),
  ownAddress: fc.boolean(),
  tenant: fc.boolean(),
  external: fc.integer({ min: 0, max: 4 }).map((n) => n === 4),
});

/** At least one seed; datacenters and clusters may be missing. */
export const arbitraryModel = ({ seeds = 3, datacenters = 4, clusters = 8 }: ModelSize = {}): fc.Arbitrary<Model> =>
  fc
    .record({
      platform: arbitraryPlatform,
      seeds: fc.array(arbitrarySeed, { minLength: 1, maxLength: seeds }),
      datacenters: fc.array(arbitraryDatacenter, { maxLength: datacenters }),
      clusters: fc.array(arbitraryCluster, { maxLength: clusters }),
    })
    .map(modelOf);

function modelOf(choices: ModelChoices): Model {
  const platform = platformOf(choices.platform);
  const seeds = choices.seeds.map((seed, index) => seedOf(seed, index));
  const datacenters = choices.datacenters.map((datacenter, index) =>
    datacenterOf(datacenter, index, choices.seeds, choices.platform),
  );
  return {
    platform,
    seeds,
    datacenters,
    clusters:
      datacenters.length === 0 ? [] : choices.clusters.map((cluster, index) => clusterOf(cluster, index, choices)),
    pools: [...choices.datacenters.flatMap(datacenterPool), ...choices.seeds.map((_, index) => seedPoolOf(index))],
  };
}

function clusterOf(choice: ClusterChoices, index: number, { platform, seeds, datacenters }: ModelChoices): Cluster {
  const place = choice.datacenter % datacenters.length;
  const seed = seeds[(datacenters[place]?.seed ?? 0) % seeds.length];
  const entry = choice.single === true ? 'single' : 'split';
  return sampleCluster(`cluster-${twoDigits(index)}`, {
    datacenter: `dc-${twoDigits(place)}`,
    kubernetesVersion: choice.version,
    exposeStrategy: choice.strategy,
    workers: {
      entry: choice.single === undefined || seed?.offers.includes(entry) !== true ? undefined : entry,
      route: routeOf(choice.throughProxy, platform),
    },
    network: { cni: choice.cni, ipFamily: choice.dualStack ? 'IPv4+IPv6' : undefined },
    ...(choice.tenant && datacenters[place]?.tenants === true ? { tenant: 'tenant-a' } : {}),
    ...(choice.external ? { controlPlane: { external: outside(index) } } : {}),
    ...(choice.ownAddress ? { loadBalancerIPs: [`10.9.${place}.${index + 1}`] } : {}),
  });
}

const outside = (index: number) => ({
  apiServer: [`10.7.0.${index + 1}:6443`, `api-${index}.example.net:6443`],
  konnectivity: [`10.7.0.${index + 1}:8132`],
});

/** A way through the proxy exists only where the platform has one. */
const routeOf = (throughProxy: boolean | undefined, platform: PlatformChoices): 'direct' | 'proxy' | undefined => {
  if (throughProxy === undefined) return undefined;
  return throughProxy && platform.egress === 'proxy' ? 'proxy' : 'direct';
};

const datacenterPool = (choice: DatacenterChoices, index: number): Model['pools'] =>
  choice.announced
    ? [
        samplePool(`applications-${twoDigits(index)}`, {
          datacenter: `dc-${twoDigits(index)}`,
          ranges: [`10.${100 + index}.128.0/24`],
        }),
      ]
    : [];

const twoDigits = (index: number): string => String(index).padStart(2, '0');
