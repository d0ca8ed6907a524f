// Storage of a seed: fast where etcd lives, large enough, and backups elsewhere.
import type { Finding } from '../../model/index.ts';
import type { Seed } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import { finding, isDecided, nameOf, none, type PlanRule } from './rule.ts';

const eachSeed =
  (rule: (seed: Seed, ctx: PlanContext) => readonly Finding[]): PlanRule =>
  (ctx) =>
    ctx.model.seeds.flatMap((seed) => rule(seed, ctx));

/** Parameters of the well-known CSI drivers that choose spinning disks, and what to use instead. */
const spinning: Readonly<Record<string, string>> = {
  standard_lrs: 'Premium_LRS',
  standard_zrs: 'Premium_ZRS',
  standard_grs: 'Premium_LRS',
  'pd-standard': 'pd-ssd',
  st1: 'gp3',
  sc1: 'gp3',
  standard: 'gp3',
};
const tierKeys = ['skuname', 'storageaccounttype', 'type'];

/** STO-5, STO-6. */
export const fastStorageRule: PlanRule = eachSeed((seed, { model }) => {
  const fast = seed.spec.storage?.fast;
  if (fast === undefined || isDecided(model, 'STO-5')) return none;
  const report = (field: string, message: string, fix: string): Finding[] => [
    finding('CW-STORAGE', { resource: nameOf(seed), path: ['spec', 'storage', 'fast', field], message, fix }),
  ];
  const tier = Object.entries(fast.parameters ?? {}).find(
    ([key, value]) => tierKeys.includes(key.toLowerCase()) && spinning[value.toLowerCase()] !== undefined,
  );
  if (tier !== undefined)
    return report(
      'parameters',
      `${tier[0]} ${tier[1]} of class ${fast.class} is a tier of spinning disks`,
      `use ${spinning[tier[1].toLowerCase()]}`,
    );
  if (fast.ssd !== false) return none;
  const standard = seed.spec.storage?.default;
  const copy = standard?.ssd === true ? `; the default class ${standard.class} is SSD-backed and can be copied` : '';
  return report(
    'ssd',
    `class ${fast.class} is not SSD-backed`,
    `use an SSD-backed class for etcd, metrics and logs${copy}`,
  );
});

const gibibytes = {
  /** Three members of 5 GiB. */
  etcdPerCluster: 15,
  /** Object store 50, Grafana 10, six ingesters of 10, querier 10, four of 2. */
  monitoring: 138,
  objectStore: 50,
  /** Snapshots that are kept times their usual size. */
  snapshotsPerCluster: 2,
};
/** A sample every 30 seconds, two bytes each. */
const bytesPerSeriesAndDay = 2880 * 2;

const clustersOf = (seed: Seed, ctx: PlanContext): number =>
  Math.max(seed.spec.plannedClusters ?? 0, ctx.clustersOfSeed.get(seed.metadata.name)?.length ?? 0);

function monitoringSize({ spec }: Seed): number {
  const { userClusters, activeSeries = 0, logsGiBPerDay = 0, retentionDays = 0 } = spec.monitoring ?? {};
  if (userClusters !== true) return 0;
  const metrics = (activeSeries * bytesPerSeriesAndDay * retentionDays) / 2 ** 30;
  const stored = logsGiBPerDay * retentionDays + metrics;
  return Math.ceil(gibibytes.monitoring + Math.max(0, stored - gibibytes.objectStore));
}

/** STO-3, STO-4, MLA-2, STO-9. */
export const capacityRule: PlanRule = eachSeed((seed, ctx) => {
  const clusters = clustersOf(seed, ctx);
  const etcd = clusters * gibibytes.etcdPerCluster;
  const monitoring = monitoringSize(seed);
  const fast = seed.spec.storage?.fast?.capacityGiB;
  const minio = seed.spec.backup?.minio?.capacityGiB;
  const snapshots = clusters * gibibytes.snapshotsPerCluster;
  return [
    ...tooSmall(
      seed,
      ['storage', 'fast', 'capacityGiB'],
      fast,
      etcd + monitoring,
      `etcd of ${clusters} clusters ${etcd}, monitoring ${monitoring}`,
    ),
    ...tooSmall(seed, ['backup', 'minio', 'capacityGiB'], minio, snapshots, `snapshots of ${clusters} clusters`),
  ];
});

function tooSmall(
  seed: Seed,
  path: readonly string[],
  has: number | undefined,
  needed: number,
  why: string,
): Finding[] {
  if (has === undefined || needed <= has) return [];
  return [
    finding('CW-STORAGE-CAPACITY', {
      resource: nameOf(seed),
      path: ['spec', ...path],
      message: `${has} GiB are there, ${needed} GiB are planned (${why})`,
      fix: `provide at least ${needed} GiB, or plan for less`,
    }),
  ];
}

/** STO-7, STO-9. */
export const backupRule: PlanRule = eachSeed((seed) => {
  const fast = seed.spec.storage?.fast?.class;
  const classes = [
    { path: ['spec', 'backup', 'minio', 'storageClass'], name: seed.spec.backup?.minio?.storageClass },
    { path: ['spec', 'storage', 'backup', 'class'], name: seed.spec.storage?.backup?.class },
  ];
  return classes
    .filter(({ name }) => name !== undefined && [fast, 'kubermatic-fast'].includes(name))
    .map(({ path, name }) =>
      finding('CW-BACKUP', {
        resource: nameOf(seed),
        path,
        message: `backups go to class ${name}, the one that holds etcd: both are lost together`,
        fix: 'use a class of another backend (large and slow is fine), or an S3 bucket elsewhere',
      }),
    );
});

/** MLA-1. */
export const estimateRule: PlanRule = eachSeed((seed) => {
  const { monitoring } = seed.spec;
  if (monitoring?.userClusters !== true) return none;
  const missing = (['activeSeries', 'logsGiBPerDay', 'retentionDays'] as const).filter(
    (field) => monitoring[field] === undefined,
  );
  if (missing.length === 0) return none;
  return [
    finding('CW-MLA-ESTIMATE', {
      resource: nameOf(seed),
      path: ['spec', 'monitoring'],
      message: `user clusters are monitored, but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not estimated: default sizes are assumed`,
      fix: `set ${missing.map((field) => `monitoring.${field}`).join(', ')}`,
    }),
  ];
});
