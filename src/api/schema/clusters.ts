// Clusters: the list, one with its whole way, its live connections, its kubeconfig.

import { z } from '@hono/zod-openapi';
import { isNodeName } from '../../core/names.ts';
import * as parts from '../../plan/schema/parts.ts';
import { clusterName, finding, lifetime, list, texts } from './common.ts';
import { certificateRow, dnsRow, flowRow } from './network.ts';
import { clusterStatus, component, traffic } from './status.ts';
import { hop } from './topology.ts';

export const clusterRow = clusterStatus
  .extend({
    datacenter: z.string().describe('Datacenter of its workers.'),
    seed: z.string().describe('Seed of its control plane.'),
    findings: z.number().describe('Findings about it.'),
    traffic: traffic.optional(),
  })
  .openapi('ClusterRow');
export type ClusterRow = z.infer<typeof clusterRow>;

export const clusterDetail = clusterRow
  .extend({
    plan: parts.endpoint.optional().describe('How it is reached, as planned; absent while it is not planned.'),
    hops: list(hop).describe('Its way, hop by hop.'),
    flows: list(flowRow).describe('Connections that it needs.'),
    components: list(component).describe('Programs of its control plane and of its workers.'),
    dns: list(dnsRow).describe('Names that it needs.'),
    certificates: list(certificateRow).describe('Certificates that it needs.'),
    addresses: list(
      z.object({
        pool: z.string().describe('AddressPool, or node ports of the seed.'),
        addresses: list(z.string()).describe('Addresses or ports.'),
        locked: z.boolean().describe('False: a proposal, which may move until it is written to the lock.'),
      }),
    ).describe('Addresses and node ports that it has.'),
    proxy: parts.reachability.optional().describe('Who of its workers reaches the control plane in which way.'),
    problems: list(finding).describe('What is wrong with it.'),
  })
  .openapi('ClusterDetail');
export type ClusterDetail = z.infer<typeof clusterDetail>;

export const kubernetesVersions = z
  .object({
    items: list(
      z.object({
        version: z.string().describe('As in kubernetesVersion of a Cluster.'),
        here: z.boolean().describe('Its programs are on this machine; false: they are fetched or built when needed.'),
        tested: z.boolean().describe('The tests of Causeway run with it.'),
      }),
    ).describe('Newest first.'),
    incomplete: z.string().optional().describe('Why there may be more: who could not be asked.'),
  })
  .openapi('KubernetesVersions');
export type KubernetesVersions = z.infer<typeof kubernetesVersions>;

export const clusterParams = z.object({ name: clusterName });

export const connection = z
  .object({
    cluster: z.string().describe('Cluster.'),
    target: z.enum(['apiServer', 'konnectivity']).describe('What it is connected with.'),
    listener: z.string().describe('Where it came in.'),
    node: z.string().optional().describe('Node of the agent that it came through, where its token names one.'),
    client: z.string().describe('Address of the client.'),
    ageMs: z.number().describe('For how long.'),
    bytesIn: z.number().describe('Bytes from the client.'),
    bytesOut: z.number().describe('Bytes to the client.'),
  })
  .openapi('Connection');
export const connections = z.object({ items: list(connection) }).openapi('Connections');
export type Connections = z.infer<typeof connections>;

export const evictionRequest = z
  .strictObject({
    node: z.string().refine(isNodeName, 'is no name of a node').describe('Name of the node.'),
  })
  .openapi('EvictionRequest');
export const evictionDone = z
  .object({ warning: z.string().optional().describe('What could not be done yet, and is tried again.') })
  .openapi('EvictionDone');
export const evictionParams = clusterParams.extend({ node: z.string().describe('Name of the node.') });
export const evictions = z
  .object({
    items: list(
      z.object({
        node: z.string().describe('Name of the node.'),
        evictedAt: z.number().describe('Since when, in milliseconds since 1970.'),
      }),
    ),
  })
  .openapi('Evictions');

export const kubeconfigQuery = z.object({
  role: z.enum(['admin', 'viewer']).default('viewer').describe('What its user may do.'),
  ttl: lifetime('kubeconfig'),
});

// What a machine needs to become a worker. It holds secrets.

export const joinRequest = z
  .strictObject({
    ttl: lifetime('join'),
  })
  .openapi('JoinRequest');

const tunnel = z.object({
  gateway: z.string().describe('host:port that the node agent dials.'),
  name: z.string().optional().describe('Name in its certificate; absent: without TLS.'),
  ca: z.string().optional().describe('PEM: who vouches for it.'),
  token: z.string().optional().describe('Token of the node agent.'),
  authority: z.string().describe('What the agent asks the gateway for.'),
  byProxy: z.boolean().describe('Goes through the machine’s proxy.'),
  listen: z.string().describe('address:port where pods connect to.'),
});

export const joining = z
  .object({
    cluster: z.string().describe('Cluster.'),
    kubernetesVersion: z.string().describe('Version of its control plane, and of the kubelet at most.'),
    apiServer: z.string().describe('host:port that the kubelet dials.'),
    ca: z.string().describe('PEM: whom to believe that it is the API server.'),
    caHash: z.string().describe('The same as kubeadm wants it, sha256:… of its public key.'),
    token: z.string().describe('Bootstrap token of kubeadm’s kind.'),
    expiresAt: z.number().describe('When it ends, in milliseconds since 1970.'),
    dns: z.object({ servers: texts.describe('Name servers of pods.'), domain: z.string().describe('Their domain.') }),
    tunnel: tunnel.optional().describe('How pods reach the API server (Tunneling).'),
    proxy: z
      .object({
        url: z.string().describe('Proxy, with its credentials.'),
        noProxy: texts.describe('What bypasses it.'),
      })
      .optional()
      .describe('Proxy that the machine goes through.'),
    names: list(
      z.object({ name: z.string().describe('Name.'), addresses: texts.describe('Where it leads to.') }),
    ).describe('Names that the machine must know.'),
    flows: list(parts.flow).describe('What firewalls must let through.'),
    warnings: texts.describe('What will keep it from working.'),
  })
  .openapi('Joining');
export type Joining = z.infer<typeof joining>;
