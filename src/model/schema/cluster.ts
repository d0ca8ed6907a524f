import { z } from 'zod';
import { oneOf, operatingSystem } from './blocks.ts';
import { inherited } from './inherited.ts';
import * as s from './scalars.ts';

const controlPlane = oneOf(
  {
    managed: z
      .strictObject({ replicas: z.int().min(1).max(9).optional().describe('API servers. Default 2.') })
      .optional()
      .describe('API server, etcd and konnectivity server run in the seed.'),
    external: z
      .strictObject({
        apiServer: z.array(s.endpoint).min(1).describe('Addresses of the running API server.'),
        konnectivity: z.array(s.endpoint).min(1).describe('Addresses of the running konnectivity server.'),
      })
      .optional()
      .describe('An API server that something else already runs (Kamaji, vCluster, kubeadm …).'),
  },
  ['managed', 'external'],
  'the control plane',
);

export const clusterSpec = z.strictObject({
  datacenter: s.name.describe('Datacenter whose workers the cluster has.'),
  kubernetesVersion: s.kubernetesVersion.describe('Version of the control plane.'),
  tenant: s.name.optional().describe('Tenant of the datacenter that owns the cluster.'),
  ...inherited,
  nodes: z
    .strictObject({
      count: s.count.optional().describe('Number of workers.'),
      kubeletVersion: s.kubernetesVersion
        .optional()
        .describe('Version of the kubelets, if older than the control plane.'),
      operatingSystems: z
        .array(operatingSystem)
        .min(1)
        .optional()
        .describe('Operating systems, if not those of the datacenter.'),
    })
    .optional()
    .describe('Workers.'),
  controlPlane: controlPlane.optional().describe('Who runs the control plane. Default managed.'),
  loadBalancerHostname: s.host
    .optional()
    .describe('Host name of its own load balancer, where a cloud gave one (LoadBalancer).'),
  loadBalancerIPs: z
    .array(s.address)
    .min(1)
    .max(4)
    .optional()
    .describe('Addresses of its own load balancer, where they are fixed (LoadBalancer).'),
  workloadAddresses: z
    .strictObject({
      count: s.count
        .optional()
        .describe(
          'Virtual IPs for applications, drawn from the pools of the datacenter. Default 1 where there is a pool.',
        ),
      ips: z.array(s.address).min(1).optional().describe('Virtual IPs entered by hand.'),
    })
    .optional()
    .describe('Virtual IPs for the applications of the cluster.'),
});
