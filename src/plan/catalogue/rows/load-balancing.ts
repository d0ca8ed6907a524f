// Load balancing: cloud, on premise, ARP, BGP.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, type Row, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const choice = ['Seed.spec.loadBalancer.type', 'Datacenter.spec.loadBalancer.type'];
const poolFields = ['AddressPool.spec.ranges', 'AddressPool.spec.exclude'];

const general = rowsOf(groups.loadBalancing, [
  row('LB-1', 'L/B', 'The ingress has an address and answers on it.', {
    inputs: ['Platform.spec.ingress.address', live('status of the ingress Service')],
    vantages: [v.users],
    targets: [t.dashboard],
  }),
  row('LB-2', 'P L/B', 'Load balancers stand in front of the API servers: one per seed, or one per cluster.', {
    inputs: ['Cluster.spec.exposeStrategy', 'Seed.spec.exposeStrategy', 'Platform.spec.exposeStrategy'],
    vantages: [v.installer],
    targets: [t.gateways, t.apisBy('LoadBalancer')],
    promise: { finding: ['CW-LB-MISSING'], plan: ['endpoints', 'gateway'] },
  }),
  row('LB-3', 'P D/W', 'It is decided what balances load in each environment.', {
    inputs: choice,
    targets: [t.seeds, t.datacenters],
    promise: { finding: ['CW-DECISION-OPEN'], artefact: ['checklist'] },
  }),
  row('LB-4', 'L/B', 'Each cluster has its own KubeLB tenant, and sees no other.', {
    inputs: ['Seed.spec.loadBalancer.kubelb.hub', live('kubeconfig of the tenant')],
    vantages: [v.workers],
    targets: [t.clusterResources],
    clusters: t.clusters,
    when: when.usesKubeLB,
  }),
  row('LB-5', 'P L/I', 'Where KubeLB manages DNS, certificates and ingress, nobody else does.', {
    inputs: ['dns', 'certificates', 'ingress'].map((field) => `Datacenter.spec.loadBalancer.kubelb.${field}`),
    vantages: [v.workers],
    targets: [t.datacenters],
    when: when.usesKubeLB,
    promise: { finding: ['CW-DNS-OWNER'] },
  }),
  row('LB-6', 'P/I', 'Clouds use their own load balancer; no two controllers claim the same Service.', {
    inputs: [...choice, 'Seed.spec.environment', 'Seed.spec.loadBalancer.loadBalancerClass'],
    targets: [t.seeds, t.datacenters],
    promise: { finding: ['CW-LB-CONFLICT'] },
  }),
  row('LB-7', 'L/W', 'Load balancers of a cloud follow nodes and endpoints.', {
    inputs: [live('a Service made for the test')],
    vantages: [v.users],
    targets: [t.seeds, t.datacenters],
    when: when.someLoadBalancer((lb) => lb.type === 'cloud'),
  }),
  row('LB-8', 'P L/B', 'API and Services have different addresses, and TLS passes through untouched.', {
    inputs: ['Seed.spec.api.host', 'Seed.spec.gateway.address', 'Platform.spec.ingress.address'],
    vantages: [v.installer],
    targets: [t.seedApis, t.gateways],
    promise: { finding: ['CW-LB-SHARED-ADDRESS'] },
  }),
]);

const layer2 = rowsOf(groups.layer2, [
  row('L2-1', 'P/B', 'The segment has enough addresses: two for the platform, one for each load balancer.', {
    inputs: [
      'Seed.spec.loadBalancer.segment',
      ...poolFields,
      'Seed.spec.plannedClusters',
      'Cluster.spec.workloadAddresses.count',
    ],
    targets: [t.pools],
    when: when.announces('L2'),
    promise: { finding: ['CW-POOL-CAPACITY', 'CW-POOL-SEGMENT'], plan: ['addresses'], artefact: ['address-plan'] },
  }),
  row('L2-2', 'P L/B', 'DHCP does not hand out virtual IPs.', {
    inputs: ['Seed.spec.nodes.dhcp.ranges', 'Datacenter.spec.nodes.dhcp.ranges', ...poolFields],
    vantages: [v.seeds, v.workers],
    targets: [t.pools],
    when: when.announces('L2'),
    promise: { finding: ['CW-POOL-DHCP'] },
  }),
  row('L2-3', 'L/W', 'Exactly one node answers for a virtual IP, and another takes over.', {
    inputs: [live('virtual IPs of the plan')],
    vantages: [v.seeds],
    targets: [t.pools],
    when: when.announces('L2'),
  }),
]);

const peers = ['address', 'asn', 'password', 'holdTime', 'multihop'].map(
  (field) => `Seed.spec.loadBalancer.bgp.peers.${field}`,
);
const routers = t.perSeed(({ loadBalancer }) => (loadBalancer?.bgp?.peers ?? []).map((peer) => `${peer.address}:179`));

const bgp = rowsOf(groups.bgp, [
  row('BGP-1', 'P/W', 'Where routers speak BGP, it is preferred to ARP.', {
    inputs: ['Seed.spec.loadBalancer.mode', 'Datacenter.spec.loadBalancer.mode'],
    targets: [t.seeds, t.datacenters],
    when: when.someLoadBalancer((lb) => lb.mode !== undefined),
    promise: { finding: ['CW-BGP-PREFERRED'] },
  }),
  row('BGP-2', 'L/B', 'Each announcing node has a session with each router.', {
    inputs: ['Seed.spec.loadBalancer.bgp.asn', ...peers],
    vantages: [v.seeds],
    targets: [routers],
    when: when.announces('BGP'),
  }),
  row('BGP-3', 'P L/W', 'Routers accept a /32 for each virtual IP and spread load over it.', {
    inputs: ['AddressPool.spec.ranges', live('policy of the routers')],
    vantages: [v.users],
    targets: [t.pools],
    when: when.announces('BGP'),
    promise: { artefact: ['prefix-list', 'metallb', 'cilium'] },
  }),
]);

export const loadBalancing: readonly Row[] = [...general, ...layer2, ...bgp];
