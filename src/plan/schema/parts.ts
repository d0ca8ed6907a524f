// The shape of the plan, part by part. Its JSON Schema is published, so a field here is a promise to scripts.
import { z } from 'zod';

const texts = z.array(z.string());
const placeId = z.string().describe('A place: users, master/nodes, seed/NAME/gateway, datacenter/NAME/workers …');
const clusterList = texts.describe(
  'Clusters that need it, sorted. Empty: the platform itself needs it, or clusters that are planned.',
);
const row = z.string().describe('Row of the requirements catalogue.');

export const place = z.strictObject({
  id: placeId,
  title: z.string().describe('What to call it in front of people.'),
  networks: texts.describe('Networks and addresses that are known, as CIDRs, ranges or single addresses.'),
  hosts: texts.describe('Names, where the addresses are somebody else’s.'),
  pending: z.boolean().describe('True while its addresses are not known yet.'),
});

export const setting = z.strictObject({
  value: z.unknown().describe('Value that holds.'),
  from: z.string().describe('Document and field that set it (Seed/west spec.exposeStrategy), default, or the runtime.'),
  overrode: z
    .array(
      z.strictObject({
        value: z.unknown().describe('Value that was overridden.'),
        from: z.string().describe('Document and field that set it.'),
      }),
    )
    .optional()
    .describe('What would hold otherwise, nearest first.'),
});
const settingsOf = z.record(z.string(), setting);
export const settings = z.strictObject({
  platform: settingsOf.describe('By setting, as in network.agentIP.'),
  seeds: z.record(z.string(), settingsOf).describe('Per seed.'),
  datacenters: z.record(z.string(), settingsOf).describe('Per datacenter.'),
  clusters: z.record(z.string(), settingsOf).describe('Per cluster.'),
});

const exposed = z.strictObject({
  host: z.string().nullable().describe('Name or address that clients dial; null until the address exists.'),
  port: z.number().nullable().describe('Port that clients dial; null until it exists.'),
  sni: z.string().optional().describe('Name in the TLS ClientHello by which the gateway routes.'),
});
export const endpoint = z.strictObject({
  cluster: z.string().describe('Cluster.'),
  seed: z.string().describe('Seed that hosts its control plane.'),
  datacenter: z.string().describe('Datacenter of its workers.'),
  strategy: z.enum(['NodePort', 'LoadBalancer', 'Tunneling']).describe('Expose strategy in force.'),
  entry: z.enum(['split', 'single']).describe('Ports of the gateway that its workers use.'),
  namespace: z.string().describe('Namespace of the control plane in the seed.'),
  externalName: z
    .string()
    .nullable()
    .describe('Name of the API server for clients; null where there is only an address.'),
  apiServer: exposed.describe('API server, as seen from outside the seed.'),
  konnectivity: exposed.describe('Konnectivity server, as seen by its agents.'),
  tunnel: z
    .strictObject({
      host: z.string().describe('Name that the node agent dials.'),
      port: z.number().describe('Port of the tunnel.'),
      sni: z.string().optional().describe('Reserved name of the tunnel; set wherever the outer hop is TLS.'),
      authority: z.string().describe('Authority of the HTTP/2 CONNECT request.'),
      tls: z.boolean().describe('The outer hop is TLS.'),
      authentication: z.enum(['token', 'certificate', 'none']).describe('What an agent must show.'),
      agentIP: z.string().describe('Address that the node agent serves kubernetes.default on.'),
    })
    .optional()
    .describe('How pods reach the API server (Tunneling).'),
  kubeconfigServer: z.string().nullable().describe('Server of the kubeconfig; null until the address exists.'),
  kubernetesService: z
    .strictObject({ addresses: texts.describe('Addresses.'), port: z.number().nullable().describe('Port.') })
    .describe('Endpoints of default/kubernetes.'),
  apiServerFlags: z.record(z.string(), z.string()).describe('Flags of the API server that follow from all this.'),
});

export const flow = z.strictObject({
  from: placeId,
  to: placeId,
  protocol: z.enum(['tcp', 'udp', 'any']).describe('Protocol.'),
  ports: z.array(z.union([z.number(), z.string()])).describe('Ports as numbers, ranges as first-last. Empty: all.'),
  reason: z.string().describe('Why it is needed, for the firewall team.'),
  requirement: row,
  clusters: clusterList,
});

const connection = z.strictObject({
  from: placeId,
  to: placeId,
  ports: z.array(z.number()).describe('Ports that this cluster uses, all TCP. Empty until they are chosen.'),
  requirement: row.optional().describe('Row of the flow that allows it. Absent: it stays inside the seed.'),
});
export const path = z.strictObject({
  users: connection.describe('kubectl of users to the API server.'),
  workers: connection.describe('Workers to their control plane, or to the proxy before it.'),
  proxy: connection.optional().describe('That proxy to the control plane.'),
  controlPlane: connection.describe('Gateway to API server and konnectivity server.'),
});

export const dnsRecord = z.strictObject({
  name: z.string().describe('Full name; *.name for a wildcard.'),
  place: placeId.describe('Place that the name points to.'),
  addresses: texts.describe('A and AAAA targets, once they exist.'),
  hostname: z.string().optional().describe('CNAME target, where a cloud gave a name.'),
  dynamic: z.boolean().optional().describe('True: the cloud may change the addresses at any time.'),
  phase: z.enum(['name', 'target']).describe('name: known, but its target is not yet; target: ready to be created.'),
  ttl: z.number().describe('Seconds.'),
  reason: z.string().describe('Why it is needed, for the DNS team.'),
  requirement: row,
  clusters: clusterList,
});
export const dns = z.strictObject({
  zone: z.string().describe('Zone that the names are in: the domain of the platform.'),
  records: z.array(dnsRecord).describe('Records, sorted by name.'),
});

export const certificate = z.strictObject({
  name: z.string().describe('platform, gateway-SEED, apiserver-CLUSTER, konnectivity-CLUSTER.'),
  issuer: z
    .enum(['acme-http01', 'acme-dns01', 'issuer', 'file', 'ca', 'self-signed', 'cluster-ca', 'gateway-ca', 'undecided'])
    .describe('How it is issued.'),
  issuedBy: z.string().describe('Who issues it, in words.'),
  dnsNames: texts.describe('Names it must hold.'),
  ips: texts.describe('Addresses it must hold.'),
  place: placeId.describe('Place that serves it.'),
  requirement: row,
  clusters: clusterList,
});

const need = z.strictObject({
  for: z.string().describe('ingress, gateway or cluster/NAME.'),
  count: z.number().describe('How many.'),
  reason: z.string().describe('Why.'),
  requirement: row,
});
const allocation = z.strictObject({
  for: z.string().describe('ingress, gateway or cluster/NAME.'),
  addresses: texts.describe('Addresses or networks that were chosen.'),
  locked: z
    .boolean()
    .describe('False: all or part of it is a proposal, which may move until it is written to the lock.'),
});
export const poolPlan = z.strictObject({
  pool: z.string().describe('AddressPool.'),
  owner: z.string().describe('Seed/NAME or Datacenter/NAME.'),
  capacity: z
    .number()
    .describe('Addresses, or networks where the pool hands out prefixes; of two families the smaller one.'),
  needed: z.number().describe('How many are needed in total.'),
  needs: z.array(need).describe('Who needs them.'),
  allocations: z.array(allocation).describe('Who got which.'),
});
export const nodePortPlan = z.strictObject({
  seed: z.string().describe('Seed.'),
  range: z.string().describe('NodePort range of the seed, first-last.'),
  capacity: z.number().describe('Ports of the range that nothing else uses.'),
  needed: z.number().describe('Two ports for each cluster.'),
  allocations: z
    .array(
      z.strictObject({
        cluster: z.string().describe('Cluster.'),
        apiServer: z.number().describe('Node port of the API server.'),
        konnectivity: z.number().describe('Node port of the konnectivity server.'),
        locked: z.boolean().describe('False: a proposal, which may move until it is written to the lock.'),
      }),
    )
    .describe('Which cluster has which ports.'),
});
export const addresses = z.strictObject({
  pools: z.array(poolPlan).describe('Per AddressPool.'),
  nodePorts: z.array(nodePortPlan).describe('Per seed with clusters that use NodePort.'),
});

export const egressEntry = z.strictObject({
  host: z.string().describe('Host name; *.domain where the hosts behind it change.'),
  ports: z.array(z.number()).describe('Ports, all TCP.'),
  paths: texts.describe('Paths that are fetched, where known.'),
  images: texts.describe('Images that are pulled from it.'),
  component: z.string().describe('What fetches it.'),
  from: z.array(placeId).describe('Places that fetch it.'),
  status: z.enum(['active', 'retired']).describe('retired: named by older lists; may be closed.'),
  replacedBy: texts.describe('Hosts that took over from a retired one.'),
  redirectOf: z.string().optional().describe('Host that redirects here.'),
  reason: z.string().describe('Why it is needed, for the proxy team.'),
  requirement: row,
  clusters: clusterList,
});
export const egress = z.strictObject({
  modes: z.record(z.string(), z.enum(['direct', 'proxy', 'offline'])).describe('Per place.'),
  entries: z.array(egressEntry).describe('What is fetched, by host and component.'),
});

const secretReference = z.record(z.string(), z.unknown());
export const placeProxy = z.strictObject({
  http: z.string().optional().describe('Proxy for http:// targets.'),
  https: z.string().optional().describe('Proxy for https:// targets.'),
  credentials: secretReference.optional().describe('Reference to the credentials, never their value.'),
  trustBundle: secretReference.optional().describe('CA of the proxy.'),
  noProxy: texts.describe('What bypasses it.'),
  from: z.string().describe('Document that set the proxy.'),
});
const way = z.strictObject({
  by: z.enum(['direct', 'proxy-environment', 'proxy-option', 'node-agent']).describe('How it gets there.'),
  target: z.string().describe('host:port that it dials.'),
  reason: z.string().describe('Why this way.'),
});
export const reachability = z.strictObject({
  kubelet: way.describe('Kubelet to API server.'),
  konnectivityAgent: way.describe('Konnectivity agent to its server.'),
  nodeAgent: way.optional().describe('Node agent to the tunnel (Tunneling).'),
  pods: way.describe('Pods to kubernetes.default.'),
});
export const proxy = z.strictObject({
  places: z
    .record(z.string(), placeProxy)
    .describe('master, seed/NAME/control-plane, datacenter/NAME/nodes, cluster/NAME/{control-plane,nodes,pods}.'),
  workers: z.record(z.string(), reachability).describe('Per cluster: who reaches the control plane in which way.'),
});

export const requirement = z.strictObject({
  id: row,
  title: z.string().describe('What is required.'),
  kinds: z
    .array(z.enum(['plan', 'live', 'provider', 'document']))
    .describe('How it is met: computed in the plan, by a check on site or at the provider, attested.'),
  severity: z.enum(['block', 'warn', 'info']).describe('What it means when it is not met.'),
  targets: texts.describe('What has to be checked, by name: host:port, record, resource.'),
  vantages: z.array(placeId).describe('Where it has to be checked from.'),
  clusters: clusterList,
});
