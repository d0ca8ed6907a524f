// Seed provisioning, storage, performance, monitoring.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, type Row, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const classes = (name: 'fast' | 'backup' | 'default', usual?: string) =>
  t.perSeed(({ storage }, seed) => {
    const found = storage?.[name]?.class ?? usual;
    return [found && `${seed}: ${found}`];
  });
const fast = classes('fast', 'kubermatic-fast');
const sizing = ['activeSeries', 'logsGiBPerDay', 'retentionDays'].map((field) => `Seed.spec.monitoring.${field}`);
const capacity = 'Seed.spec.storage.fast.capacityGiB';
const buckets = t.perSeed(({ backup }) => [
  backup?.s3 === undefined ? undefined : `${backup.s3.endpoint}/${backup.s3.bucket}`,
]);

const provisioning = rowsOf(groups.seeds, [
  row('SED-1', 'L/B', 'What KubeOne presupposes holds: odd members, a load balancer, SSH to all hosts.', {
    inputs: ['Seed.spec.provisioning.tool', 'Seed.spec.provisioning.manifest', 'Seed.spec.nodes.controlPlane'],
    vantages: [v.installer],
    targets: [t.managementNodes],
    when: when.someSeed((spec) => (spec.provisioning?.tool ?? 'kubeone') === 'kubeone'),
  }),
  row('SED-2', 'L/I', 'The conformance test passes.', {
    inputs: ['Seed.spec.kubeconfig'],
    vantages: [v.installer],
    targets: [t.seedApis],
  }),
]);

const storageClasses = rowsOf(groups.storage, [
  row('STO-1', 'L/B', 'kubermatic-fast exists, and kubermatic-backup or a decision without it.', {
    inputs: ['Seed.spec.storage.fast.class', 'Seed.spec.storage.backup.class', 'Seed.spec.kubeconfig'],
    vantages: [v.seeds],
    targets: [fast, classes('backup')],
  }),
  row('STO-2', 'L/B', 'kubermatic-fast serves the etcd of user clusters, in the zone of its pod.', {
    inputs: ['Seed.spec.storage.fast.class', 'Seed.spec.storage.fast.provisioner'],
    vantages: [v.seeds],
    targets: [fast],
  }),
  row('STO-3', 'P L/B', 'kubermatic-fast has room for metrics and alerts.', {
    inputs: [...sizing, capacity],
    vantages: [v.seeds],
    targets: [fast],
    promise: { finding: ['CW-STORAGE-CAPACITY'] },
  }),
  row('STO-4', 'P L/B', 'kubermatic-fast has room for logs.', {
    inputs: [...sizing, capacity],
    vantages: [v.seeds],
    targets: [fast],
    promise: { finding: ['CW-STORAGE-CAPACITY'] },
  }),
  row('STO-5', 'L/W', 'kubermatic-fast stands on SSDs.', {
    inputs: ['Seed.spec.storage.fast.parameters', 'Seed.spec.storage.fast.ssd', 'Seed.spec.storage.fast.provisioner'],
    vantages: [v.seeds],
    targets: [fast],
  }),
  row('STO-6', 'P/I', 'A default class on SSDs may be copied as kubermatic-fast.', {
    inputs: ['Seed.spec.storage.default.class', 'Seed.spec.storage.default.ssd'],
    targets: [classes('default')],
    when: when.someSeed((spec) => spec.storage?.default !== undefined),
    promise: { finding: ['CW-STORAGE'] },
  }),
  row('STO-7', 'P/I', 'Backups lie elsewhere than what they are backups of.', {
    inputs: ['Seed.spec.storage.backup.class', 'Seed.spec.storage.fast.class'],
    targets: [classes('backup', 'kubermatic-backup')],
    promise: { finding: ['CW-BACKUP'] },
  }),
  row('STO-8', 'L/B', 'etcd snapshots can be written to S3, read back and deleted.', {
    inputs: ['endpoint', 'bucket', 'region', 'credentials', 'trustBundle'].map(
      (field) => `Seed.spec.backup.s3.${field}`,
    ),
    vantages: [v.seeds],
    targets: [buckets],
    when: when.someSeed((spec) => spec.backup?.minio === undefined),
  }),
  row('STO-9', 'P L/W', 'MinIO has a storage class of its own and room for all snapshots.', {
    inputs: ['storageClass', 'capacityGiB', 'credentials'].map((field) => `Seed.spec.backup.minio.${field}`),
    vantages: [v.seeds],
    targets: [t.perSeed(({ backup }, seed) => [backup?.minio && `${seed}: ${backup.minio.storageClass}`])],
    when: when.someSeed((spec) => spec.backup?.minio !== undefined),
    promise: { finding: ['CW-BACKUP', 'CW-STORAGE-CAPACITY'] },
  }),
]);

const etcd = rowsOf(groups.etcd, [
  row('ETC-1', 'L/W', 'Hosts of the management etcd meet its medium profile.', {
    inputs: ['Platform.spec.master.nodes.controlPlane', 'Seed.spec.nodes.controlPlane', live('data directory of etcd')],
    vantages: [v.master, v.seeds],
    targets: [t.managementNodes],
  }),
  row('ETC-2', 'L/W', 'kubermatic-fast meets the large profile of etcd, also for many at once.', {
    inputs: ['Seed.spec.storage.fast.class'],
    vantages: [v.seeds],
    targets: [fast],
  }),
  row('ETC-3', 'L/B', 'Writes reach the disk within 10 ms, 99 times of 100.', {
    inputs: ['Seed.spec.storage.fast.class', live('directory or volume')],
    vantages: [v.master, v.seeds],
    targets: [fast],
  }),
  row('ETC-4', 'L/W', 'Sequential writes reach 50 per second, 500 under load.', {
    inputs: ['Seed.spec.storage.fast.class', live('directory or volume')],
    vantages: [v.master, v.seeds],
    targets: [fast],
  }),
  row('ETC-5', 'L/W', 'Disk and network are wide enough for recovery, members are near each other.', {
    inputs: [live('members of etcd')],
    vantages: [v.master, v.seeds],
    targets: [t.managementNodes],
  }),
  row('ETC-6', 'L/I', 'etcd has enough CPU and memory.', {
    inputs: [live('limits and throttling of the etcd pods')],
    vantages: [v.seeds],
    targets: [t.seeds],
  }),
  row('ETC-7', 'D L/I', 'Alerts tell when a control plane needs to be scaled.', {
    inputs: [live('alert rules and receivers')],
    vantages: [v.seeds],
    targets: [t.seeds],
  }),
]);

const monitored = { when: when.monitorsUserClusters, targets: [t.seeds] } as const;
const monitoring = rowsOf(groups.monitoring, [
  row('MLA-1', 'P/W', 'Metrics and logs are estimated.', {
    ...monitored,
    inputs: sizing,
    promise: { finding: ['CW-MLA-ESTIMATE'] },
  }),
  row('MLA-2', 'P L/W', 'Storage holds the default footprint of user-cluster monitoring.', {
    ...monitored,
    inputs: [capacity, live('volume claims in the charts')],
    vantages: [v.seeds],
    promise: { finding: ['CW-STORAGE-CAPACITY'] },
  }),
  row('MLA-3', 'L/W', 'Storage carries etcd and monitoring together.', {
    ...monitored,
    inputs: ['Seed.spec.storage.fast.class'],
    vantages: [v.seeds],
  }),
  row('MLA-4', 'L/I', 'Monitoring has nodes of its own.', {
    ...monitored,
    inputs: ['Seed.spec.monitoring.dedicatedNodes', live('labels of the nodes')],
    vantages: [v.seeds],
  }),
  row('MLA-5', 'D/I', 'Settings of monitoring are reviewed again and again.', { ...monitored, inputs: [] }),
]);

export const storage: readonly Row[] = [...provisioning, ...storageClasses, ...etcd, ...monitoring];
