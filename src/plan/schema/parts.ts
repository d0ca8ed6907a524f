// The shape of the plan, part by part. Its JSON Schema is published, so a field here is a promise to scripts.
import { z } from 'zod';

const texts = z.array(z.string());
const placeId = z.string().describe('A place: users, master/nodes, seed/NAME/gateway, datacenter/NAME/workers …');
const clusterList = texts.describe('Clusters that need it, sorted. Empty: the platform itself needs it.');
const row = z.string().describe('Row of the requirements catalogue.');

export const place = z.strictObject({
  id: placeId,
  title: z.string().describe('What to call it in front of people.'),
  networks: texts.describe('Networks and addresses that are known, as CIDRs, ranges or single addresses.'),
  hosts: texts.describe('Names, where the addresses are somebody else’s.'),
  pending: z.boolean().describe('True while its addresses are not known yet.'),
});

export const setting = z.strictObject({
  value: z.unknown(),
  from: z.string().describe('Document and field that set it (Seed/west spec.exposeStrategy), or default.'),
  overrode: z
    .array(z.strictObject({ value: z.unknown(), from: z.string() }))
    .optional()
    .describe('What would hold otherwise, nearest first.'),
});
const settingsOf = z.record(z.string(), setting);
export const settings = z.strictObject({
  platform: settingsOf,
  seeds: z.record(z.string(), settingsOf),
  datacenters: z.record(z.string(), settingsOf),
  clusters: z.record(z.string(), settingsOf),
});

const exposed = z.strictObject({
  host: z.string().nullable().describe('Name or address that clients dial; null until the address exists.'),
  port: z.number().nullable(),
  sni: z.string().optional().describe('Name in the TLS ClientHello by which the gateway routes.'),
});
export const endpoint = z.strictObject({
  cluster: z.string(),
  seed: z.string(),
  datacenter: z.string(),
  strategy: z.enum(['NodePort', 'LoadBalancer', 'Tunneling']),
  entry: z.enum(['split', 'single']),
  namespace: z.string().describe('Namespace of the control plane in the seed.'),
  externalName: z.string().nullable(),
  apiServer: exposed,
  konnectivity: exposed,
  tunnel: z
    .strictObject({
      host: z.string(),
      port: z.number(),
      sni: z.string().optional().describe('Reserved name of the tunnel; set wherever the outer hop is TLS.'),
      authority: z.string().describe('Authority of the HTTP/2 CONNECT request.'),
      tls: z.boolean(),
      authentication: z.enum(['token', 'certificate', 'none']),
      agentIP: z.string(),
    })
    .optional()
    .describe('How pods reach the API server (Tunneling).'),
  kubeconfigServer: z.string().nullable(),
  kubernetesService: z
    .strictObject({ addresses: texts, port: z.number().nullable() })
    .describe('Endpoints of default/kubernetes.'),
  apiServerFlags: z.record(z.string(), z.string()),
});

export const flow = z.strictObject({
  from: placeId,
  to: placeId,
  protocol: z.enum(['tcp', 'udp', 'any']),
  ports: z.array(z.union([z.number(), z.string()])).describe('Ports as numbers, ranges as first-last. Empty: all.'),
  reason: z.string(),
  requirement: row,
  clusters: clusterList,
});

export const dnsRecord = z.strictObject({
  name: z.string(),
  place: placeId.describe('Place that the name points to.'),
  addresses: texts.describe('A and AAAA targets, once they exist.'),
  hostname: z.string().optional().describe('CNAME target, where a cloud gave a name.'),
  dynamic: z.boolean().optional().describe('True: the cloud may change the addresses at any time.'),
  phase: z.enum(['name', 'target']).describe('name: known, but its target is not yet; target: ready to be created.'),
  ttl: z.number(),
  reason: z.string(),
  requirement: row,
  clusters: clusterList,
});
export const dns = z.strictObject({ zone: z.string(), records: z.array(dnsRecord) });

export const certificate = z.strictObject({
  name: z.string().describe('platform, gateway-SEED, apiserver-CLUSTER, konnectivity-CLUSTER.'),
  issuer: z.enum([
    'acme-http01',
    'acme-dns01',
    'issuer',
    'file',
    'ca',
    'self-signed',
    'cluster-ca',
    'gateway-ca',
    'undecided',
  ]),
  issuedBy: z.string().describe('Who issues it, in words.'),
  dnsNames: texts,
  ips: texts,
  place: placeId,
  requirement: row,
  clusters: clusterList,
});

const need = z.strictObject({
  for: z.string().describe('ingress, gateway or cluster/NAME.'),
  count: z.number(),
  reason: z.string(),
  requirement: row,
});
const allocation = z.strictObject({
  for: z.string(),
  addresses: texts,
  locked: z
    .boolean()
    .describe('False: all or part of it is a proposal, which may move until it is written to the lock.'),
});
export const poolPlan = z.strictObject({
  pool: z.string(),
  owner: z.string().describe('Seed/NAME or Datacenter/NAME.'),
  capacity: z
    .number()
    .describe('Addresses, or networks where the pool hands out prefixes; of two families the smaller one.'),
  needed: z.number(),
  needs: z.array(need),
  allocations: z.array(allocation),
});
export const nodePortPlan = z.strictObject({
  seed: z.string(),
  range: z.string(),
  capacity: z.number().describe('Ports of the range that nothing else uses.'),
  needed: z.number().describe('Two ports for each cluster.'),
  allocations: z.array(
    z.strictObject({ cluster: z.string(), apiServer: z.number(), konnectivity: z.number(), locked: z.boolean() }),
  ),
});
export const addresses = z.strictObject({ pools: z.array(poolPlan), nodePorts: z.array(nodePortPlan) });

export const egressEntry = z.strictObject({
  host: z.string().describe('Host name; *.domain where the hosts behind it change.'),
  ports: z.array(z.number()),
  paths: texts.describe('Paths that are fetched, where known.'),
  images: texts.describe('Images that are pulled from it.'),
  component: z.string().describe('What fetches it.'),
  from: z.array(placeId),
  status: z.enum(['active', 'retired']).describe('retired: named by older lists; may be closed.'),
  replacedBy: texts.describe('Hosts that took over from a retired one.'),
  redirectOf: z.string().optional().describe('Host that redirects here.'),
  reason: z.string(),
  requirement: row,
  clusters: clusterList,
});
export const egress = z.strictObject({
  modes: z.record(z.string(), z.enum(['direct', 'proxy', 'offline'])).describe('Per place.'),
  entries: z.array(egressEntry),
});

const secretReference = z.record(z.string(), z.unknown());
export const placeProxy = z.strictObject({
  http: z.string().optional(),
  https: z.string().optional(),
  credentials: secretReference.optional().describe('Reference to the credentials, never their value.'),
  trustBundle: secretReference.optional(),
  noProxy: texts,
  from: z.string().describe('Document that set the proxy.'),
});
const way = z.strictObject({
  by: z.enum(['direct', 'proxy-environment', 'proxy-option', 'node-agent']),
  target: z.string().describe('host:port that it dials.'),
  reason: z.string(),
});
export const reachability = z.strictObject({
  kubelet: way,
  konnectivityAgent: way,
  nodeAgent: way.optional(),
  pods: way,
});
export const proxy = z.strictObject({
  places: z
    .record(z.string(), placeProxy)
    .describe('master, seed/NAME/control-plane, datacenter/NAME/nodes, cluster/NAME/{control-plane,nodes,pods}.'),
  workers: z.record(z.string(), reachability).describe('Per cluster: who reaches the control plane in which way.'),
});

const route = z.strictObject({
  sni: z.string().optional(),
  authority: z.string().optional(),
  nodePort: z.number().optional(),
  addresses: texts.optional().describe('Own addresses (LoadBalancer).'),
  port: z.number().optional().describe('Port on the own addresses (LoadBalancer).'),
  backends: texts.describe('host:port of the servers behind it.'),
});
export const gatewayCluster = z.strictObject({
  apiServer: route,
  konnectivity: route,
  allowedSourceRanges: texts.optional().describe('Absent: everybody. Always holds the cluster’s own workers.'),
  maxConnections: z.number().optional(),
  connectionsPerSecond: z.number().optional(),
  idleTimeout: z.string(),
});
export const gatewaySnapshot = z.strictObject({
  version: z.string().describe('Hash of the content.'),
  seed: z.string(),
  listeners: z.strictObject({
    sni: z.number().optional(),
    tunnel: z.number().optional(),
    single: z.number().optional(),
    nodePortRange: z.string(),
  }),
  tunnel: z.strictObject({ name: z.string(), authentication: z.enum(['token', 'certificate', 'none']) }),
  trustedBalancers: texts,
  clusters: z.record(z.string(), gatewayCluster),
});

export const konnectivity = z.strictObject({
  server: z.strictObject({
    replicas: z.number(),
    agentPort: z.number(),
    adminPort: z.number(),
    healthPort: z.number(),
    serverCount: z.number(),
    keepalive: z.string(),
    tokenAudience: z.string(),
    udsName: z.string(),
  }),
  agent: z.strictObject({
    replicas: z.number(),
    host: z.string().nullable(),
    port: z.number().nullable(),
    keepalive: z.string(),
    syncForever: z.boolean(),
    viaProxy: z.boolean(),
  }),
});

export const requirement = z.strictObject({
  id: row,
  title: z.string(),
  kinds: z.array(z.enum(['plan', 'live', 'provider', 'document'])),
  severity: z.enum(['block', 'warn', 'info']),
  targets: texts.describe('What is checked, by name: host:port, record, resource.'),
  vantages: z.array(placeId).describe('Where it is checked from.'),
  clusters: clusterList,
});
