import type { Draft } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

type Storage = NonNullable<Draft['seed']['spec']['storage']>;
const fast = (d: Draft, more: Partial<NonNullable<Storage['fast']>>): void => {
  d.seed.spec.storage = { ...d.seed.spec.storage, fast: { class: 'kubermatic-fast', ...more } };
};

export const storageCases = {
  'CW-STORAGE': {
    fires: [
      {
        when: 'the tier is one of spinning disks',
        change: (d) => fast(d, { parameters: { skuName: 'Standard_LRS' } }),
        at: 'Seed/west spec.storage.fast.parameters',
        says: /skuName Standard_LRS/,
        fix: /Premium_LRS/,
      },
      {
        when: 'the class is not SSD-backed',
        change: (d) => fast(d, { ssd: false }),
        at: 'Seed/west spec.storage.fast.ssd',
        says: /not SSD-backed/,
      },
    ],
    quiet: [{ when: 'the tier is SSD', change: (d) => fast(d, { parameters: { skuName: 'StandardSSD_LRS' } }) }],
  },
  'CW-STORAGE-CAPACITY': {
    fires: [
      {
        when: 'etcd and monitoring do not fit',
        change: (d) => {
          fast(d, { capacityGiB: 300 });
          d.seed.spec.plannedClusters = 11;
          d.seed.spec.monitoring = { userClusters: true, activeSeries: 0, logsGiBPerDay: 0, retentionDays: 1 };
        },
        at: 'Seed/west spec.storage.fast.capacityGiB',
        says: /300 GiB are there, 303 GiB are planned \(etcd of 11 clusters 165, monitoring 138\)/,
      },
      {
        when: 'the snapshots do not fit',
        change: (d) => {
          d.seed.spec.plannedClusters = 60;
          d.seed.spec.backup = { minio: { storageClass: 'slow', capacityGiB: 100, credentials: { env: 'MINIO' } } };
        },
        at: 'Seed/west spec.backup.minio.capacityGiB',
        says: /snapshots of 60 clusters/,
      },
    ],
    quiet: [
      {
        when: 'everything just fits',
        change: (d) => {
          fast(d, { capacityGiB: 165 });
          d.seed.spec.plannedClusters = 11;
        },
      },
    ],
  },
  'CW-BACKUP': {
    fires: [
      {
        when: 'backups lie beside what they protect',
        change: (d) => {
          d.seed.spec.backup = {
            minio: { storageClass: 'kubermatic-fast', capacityGiB: 100, credentials: { env: 'MINIO' } },
          };
        },
        at: 'Seed/west spec.backup.minio.storageClass',
        says: /lost together/,
      },
    ],
    quiet: [
      {
        when: 'MinIO has a class of its own',
        change: (d) => {
          d.seed.spec.backup = { minio: { storageClass: 'slow', capacityGiB: 100, credentials: { env: 'MINIO' } } };
        },
      },
    ],
  },
  'CW-MLA-ESTIMATE': {
    fires: [
      {
        when: 'monitoring is not estimated',
        change: (d) => {
          d.seed.spec.monitoring = { userClusters: true, activeSeries: 10 };
        },
        at: 'Seed/west spec.monitoring',
        says: /logsGiBPerDay, retentionDays are not estimated/,
      },
    ],
    quiet: [
      {
        when: 'user clusters are not monitored',
        change: (d) => {
          d.seed.spec.monitoring = {};
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
