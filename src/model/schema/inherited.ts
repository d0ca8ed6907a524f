// Settings that Platform, Seed, Datacenter and Cluster share: the most specific document wins, the plan says which.
// There are no defaults here: "unset" must stay visible, or inheritance and provenance break. Defaults live in the plan.
import { z } from 'zod';
import { forAdmins, forOperators } from './access.ts';
import { bundleRef, secretRef } from './blocks.ts';
import * as s from './scalars.ts';

export const strategies = ['NodePort', 'LoadBalancer', 'Tunneling'] as const;
export type Strategy = (typeof strategies)[number];

export const podSecurityLevels = ['privileged', 'baseline', 'restricted'] as const;
export type PodSecurity = (typeof podSecurityLevels)[number];

export const proxy = z.strictObject({
  enabled: forAdmins(z.boolean()).optional().describe('false: no proxy here, whatever is set above.'),
  http: s.webUrl.optional().describe('Proxy for http:// targets, without credentials.'),
  https: s.webUrl.optional().describe('Proxy for https:// targets (CONNECT), without credentials.'),
  credentials: secretRef.optional().describe('user:password for the proxy.'),
  trustBundle: bundleRef
    .optional()
    .describe('CA that the proxy signs with when it intercepts TLS, or that signed its own certificate.'),
  connectPorts: z.array(s.port).min(1).optional().describe('Ports that the proxy allows CONNECT to. Often only 443.'),
  noProxy: forOperators(z.array(s.text), 'what is reached directly gets no credentials of the proxy')
    .optional()
    .describe('Further names, suffixes, addresses and networks that bypass the proxy; added to what is computed.'),
});

const workers = z.strictObject({
  entry: z
    .enum(['split', 'single'])
    .optional()
    .describe('Whether workers use the split ports of the gateway or its single port.'),
  route: z
    .enum(['direct', 'proxy'])
    .optional()
    .describe('How the worker network reaches the gateway: directly, or only through the corporate proxy.'),
  agent: z
    .enum(['causeway', 'envoy'])
    .optional()
    .describe('Node agent: ours, or stock Envoy (no proxy, no authentication).'),
});

const network = z.strictObject({
  ipFamily: z.enum(['IPv4', 'IPv4+IPv6']).optional().describe('Address families of pods and services.'),
  pods: z.array(s.cidr).min(1).max(2).optional().describe('Pod networks, IPv4 first.'),
  services: z.array(s.cidr).min(1).max(2).optional().describe('Service networks, IPv4 first.'),
  dnsDomain: forOperators(s.host, 'a name inside the cluster').optional().describe('DNS domain inside the cluster.'),
  nodeLocalDNS: s.address.optional().describe('Address of the node-local DNS cache.'),
  agentIP: forOperators(s.address, 'an address that nodes give to themselves')
    .optional()
    .describe('Address that the node agent serves kubernetes.default on (Tunneling).'),
  cni: z.enum(['cilium', 'canal', 'calico', 'flannel', 'none']).optional().describe('Network plugin.'),
  proxyMode: z.enum(['ipvs', 'iptables', 'nftables', 'ebpf']).optional().describe('kube-proxy mode.'),
});

const limits = z.strictObject({
  allowedSourceRanges: z
    .array(s.cidr)
    .optional()
    .describe('Who may connect to the cluster endpoints. The workers of the cluster are always allowed.'),
  maxConnections: s.count.optional().describe('Open connections per cluster.'),
  connectionsPerSecond: s.count.optional().describe('New connections per second and cluster.'),
  idleTimeout: s.duration.optional().describe('Idle time after which the gateway closes a connection.'),
  halfClosedTimeout: s.duration
    .optional()
    .describe('The same for a connection of which one side has ended and nothing comes from the other.'),
});

const konnectivity = z.strictObject({
  replicas: z.int().min(1).max(9).optional().describe('Konnectivity servers (and API servers) per cluster.'),
  agents: z.int().min(1).max(50).optional().describe('Konnectivity agents per cluster.'),
  keepalive: s.duration.optional().describe('Keepalive interval, on both sides.'),
});

const egress = z.strictObject({
  mode: z.enum(['direct', 'proxy', 'offline']).optional().describe('How artefacts are downloaded.'),
  closed: z
    .boolean()
    .optional()
    .describe('The owner of the network says that everything outside the allow-list is blocked; a check can prove it.'),
});

const registry = forAdmins(
  z.strictObject({
    host: s.endpoint.optional().describe('Private registry that replaces the public ones (offline mode).'),
    insecure: z.boolean().optional().describe('The registry speaks plain HTTP.'),
    credentials: secretRef.optional().describe('Pull credentials.'),
    trustBundle: bundleRef.optional().describe('CA of the registry.'),
    binaries: s.webUrl.optional().describe('Mirror for kubelet, CNI plugins and crictl.'),
    packages: s.webUrl.optional().describe('Mirror for operating-system packages.'),
  }),
);

export const inherited = {
  exposeStrategy: z.enum(strategies).optional().describe('How the two endpoints of a cluster leave the seed.'),
  workers: workers.optional().describe('How workers reach their control plane.'),
  network: network.optional().describe('Addresses inside user clusters.'),
  limits: limits.optional().describe('Who may connect, and how much.'),
  konnectivity: konnectivity.optional().describe('The way back from control plane to workers.'),
  egress: egress.optional().describe('Internet access.'),
  proxy: proxy.optional().describe('Corporate proxy.'),
  registry: registry.optional().describe('Private registry and mirrors.'),
  podSecurity: forAdmins(z.enum(podSecurityLevels))
    .optional()
    .describe(
      'Pod Security level that namespaces without a label of their own enforce; kube-system is exempt. Default baseline, and privileged for clusters that were made before there was a default.',
    ),
};
