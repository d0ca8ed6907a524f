import { z } from 'zod';
import { forAdmins } from './access.ts';
import { addressSource, apiEndpoint, bundleRef, loadBalancer, managementNodes, oneOf, secretRef } from './blocks.ts';
import { inherited } from './inherited.ts';
import * as s from './scalars.ts';

const gateway = z.strictObject({
  address: addressSource.describe('Address of the gateway (what KKP calls nodeport-proxy).'),
  offers: z
    .array(z.enum(['split', 'single']))
    .min(1)
    .optional()
    .describe('Ports that are offered: the split ones, the single one, or both. Default split.'),
  ports: z
    .strictObject({
      sni: s.port.optional().describe('API server and konnectivity by SNI. Default 6443.'),
      tunnel: s.port.optional().describe('Tunnel by HTTP/2 CONNECT. Default 8088.'),
      single: s.port.optional().describe('Everything by SNI. Default 443.'),
    })
    .optional()
    .describe('Ports, where they are not the usual ones.'),
  nodePortRange: s.portRange.optional().describe('NodePort range of the seed. Default 30000-32767.'),
  reservedNodePorts: z.array(s.port).optional().describe('Node ports that something else uses.'),
  tunnelAuthentication: forAdmins(z.enum(['token', 'certificate', 'none']))
    .optional()
    .describe('What an agent must show. none is cleartext for stock Envoy agents. Default token.'),
  tunnelKeys: z
    .array(s.ed25519Key)
    .max(32)
    .optional()
    .describe('Public keys that agents’ tokens are signed with; more than one while they are rotated.'),
  tunnelAuthorities: z
    .array(s.certificate)
    .max(32)
    .optional()
    .describe('Authorities that agents’ client certificates are signed by.'),
  trustedBalancers: forAdmins(z.array(s.cidr))
    .optional()
    .describe('Balancers whose PROXY protocol header is believed.'),
});

const storageClass = z.strictObject({
  class: s.text.describe('StorageClass.'),
  provisioner: s.text.optional().describe('CSI driver.'),
  parameters: z.record(z.string(), z.string()).optional().describe('Parameters of the class.'),
  ssd: z.boolean().optional().describe('SSD-backed.'),
  capacityGiB: s.count.optional().describe('Free capacity.'),
});

const backup = forAdmins(
  oneOf(
    {
      s3: z
        .strictObject({
          endpoint: s.webUrl.describe('S3 endpoint.'),
          bucket: s.text.describe('Bucket of the etcd snapshots.'),
          region: s.text.optional().describe('Region.'),
          credentials: secretRef.describe('Access keys.'),
          trustBundle: bundleRef.optional().describe('CA of the endpoint.'),
          passphrase: secretRef
            .optional()
            .describe(
              'What the keys of clusters in backups are encrypted with. Without it backups hold no keys, and a new machine can restore neither secrets nor old kubeconfigs.',
            ),
          interval: s.duration.optional().describe('Time between two backups. Default 1h.'),
          keep: s.count.min(1).optional().describe('Scheduled backups that are kept. Default 24.'),
        })
        .optional()
        .describe('S3 or something that speaks it.'),
      minio: z
        .strictObject({
          storageClass: s.text.describe('Own class; large and slow is fine.'),
          capacityGiB: s.count.describe('Size of its volume.'),
          credentials: secretRef.describe('Access keys.'),
        })
        .optional()
        .describe('MinIO in the seed, where there is no S3.'),
    },
    ['s3', 'minio'],
    'backups',
  ),
);

export const seedSpec = z.strictObject({
  dnsName: s.host.optional().describe('Name of the seed in DNS. Default: its name.'),
  api: apiEndpoint.describe('Kubernetes API of the seed.'),
  kubeconfig: secretRef.optional().describe('Kubeconfig that master uses; static, no exec plugins.'),
  nodes: managementNodes.describe('Nodes of the seed.'),
  environment: z.enum(['cloud', 'on-premise']).optional().describe('Where the seed stands.'),
  ...inherited,
  gateway: gateway.describe('Shared entry of the seed.'),
  loadBalancer: loadBalancer.optional().describe('Load balancing for ingress, gateway and control planes.'),
  plannedClusters: s.count
    .optional()
    .describe(
      'Clusters that capacity is checked for, if more than are written down. Above 0, what clusters with the settings of the seed and its datacenters will need is asked for in advance: flows, names, certificates, allow-list.',
    ),
  storage: z
    .strictObject({
      fast: storageClass.optional().describe('kubermatic-fast: etcd, metrics, logs.'),
      backup: storageClass.optional().describe('kubermatic-backup.'),
      default: storageClass.optional().describe('Default class of the cluster.'),
      expectation: s.text.optional().describe('What is expected of reliability and backup (RPO, RTO).'),
    })
    .optional()
    .describe('Storage classes.'),
  backup: backup.optional().describe('Where etcd snapshots go.'),
  monitoring: z
    .strictObject({
      userClusters: z.boolean().optional().describe('User-cluster monitoring and logging. Default false.'),
      activeSeries: s.count.optional().describe('Estimated active metric series.'),
      logsGiBPerDay: s.count.optional().describe('Estimated log volume.'),
      retentionDays: s.count.optional().describe('Retention.'),
      dedicatedNodes: z.boolean().optional().describe('Monitoring has nodes of its own.'),
    })
    .optional()
    .describe('Monitoring, logging and alerting.'),
  provisioning: z
    .strictObject({
      tool: z.enum(['kubeone', 'managed', 'other']).describe('What builds the seed cluster.'),
      manifest: s.text.optional().describe('Its manifest.'),
    })
    .optional()
    .describe('How the seed cluster itself is made.'),
});
