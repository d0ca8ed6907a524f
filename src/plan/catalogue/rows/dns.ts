// Names, and where they point.
import { masterIngress } from '../../places/ids.ts';
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, type RowBody, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const zone = { plan: ['dns'], artefact: ['zone', 'dnsendpoint'] } as const;
const ingressFields = ['Platform.spec.domain', 'Platform.spec.ingress.address'];
const everywhere = [v.authoritative, v.users, v.master, v.seeds, v.workers];
const wildcards = when.platformHas((spec) => spec.dns?.wildcards !== false);
const hasService = (name: 'grafana' | 'prometheus' | 'alertmanager' | 'kibana') =>
  when.platformHas((spec) => (spec.monitoring?.services ?? ['grafana', 'prometheus', 'alertmanager']).includes(name));

const service = (id: string, name: 'grafana' | 'prometheus' | 'alertmanager'): RowBody =>
  row(id, 'P L/B', `The name of ${name} points to the ingress.`, {
    inputs: [...ingressFields, 'Platform.spec.monitoring.services'],
    vantages: everywhere,
    targets: [t.platformName(name)],
    when: hasService(name),
    promise: zone,
  });

const seedService = (id: string, name: 'grafana' | 'alertmanager'): RowBody =>
  row(id, 'P L/B', `The ${name} of the user clusters points to the ingress, not to the gateway.`, {
    inputs: [...ingressFields, 'Seed.spec.monitoring.userClusters', 'Seed.spec.dnsName'],
    vantages: everywhere,
    when: when.monitorsUserClusters,
    promise: zone,
  });

const platformNames: readonly RowBody[] = [
  row('DNS-1', 'P/W', 'Names are known early, targets once the load balancers exist.', {
    inputs: ['Platform.spec.ingress.address', 'Seed.spec.gateway.address'],
    targets: [t.platformName()],
    promise: zone,
  }),
  row('DNS-2', 'P L/B', 'The domain points to the ingress.', {
    inputs: ingressFields,
    vantages: everywhere,
    targets: [t.platformName()],
    promise: zone,
  }),
  row('DNS-3', 'P L/B', 'Everything below the domain points to the ingress.', {
    inputs: ['Platform.spec.domain', 'Platform.spec.dns.wildcards'],
    vantages: everywhere,
    targets: [t.platformName('*')],
    when: wildcards,
    promise: zone,
  }),
  row('DNS-4', 'P L/B', 'Without wildcards each service has a record of its own.', {
    inputs: ['Platform.spec.dns.wildcards', 'Platform.spec.monitoring.services'],
    vantages: everywhere,
    targets: [({ plan }) => plan.dns.records.filter(({ place }) => place === masterIngress).map(({ name }) => name)],
    when: (s) => !wildcards(s),
    promise: zone,
  }),
  service('DNS-5', 'grafana'),
  service('DNS-6', 'prometheus'),
  service('DNS-7', 'alertmanager'),
];

const seedNames: readonly RowBody[] = [
  row('DNS-8', 'P L/B', 'Everything below the name of a seed points to its gateway.', {
    inputs: ['Seed.spec.dnsName', 'Seed.spec.gateway.address'],
    vantages: everywhere,
    when: (s) => when.usesStrategy('NodePort')(s) || when.usesStrategy('Tunneling')(s),
    promise: zone,
  }),
  row('DNS-9', 'L/B', 'Each cluster is found under its own name below its seed.', {
    inputs: [live('names of the clusters')],
    vantages: [v.users, v.workers],
    targets: [t.namedApis],
    when: (s) => when.usesStrategy('NodePort')(s) || when.usesStrategy('Tunneling')(s),
  }),
  row('DNS-10', 'P/I', 'Clusters with a load balancer of their own need no name.', {
    inputs: ['Cluster.spec.exposeStrategy', 'Cluster.spec.loadBalancerIPs', 'Cluster.spec.loadBalancerHostname'],
    targets: [t.apisBy('LoadBalancer')],
    clusters: t.clustersBy('LoadBalancer'),
    when: when.usesStrategy('LoadBalancer'),
    promise: { finding: ['CW-LB-MISSING'], plan: ['endpoints'] },
  }),
  seedService('DNS-11', 'alertmanager'),
  seedService('DNS-12', 'grafana'),
];

const ownership: readonly RowBody[] = [
  row('DNS-13', 'P L/I', 'Where external-dns writes records, it alone does.', {
    inputs: ['Platform.spec.dns.provider', 'Platform.spec.dns.externalDNS', 'Platform.spec.dns.ownerID'],
    vantages: [v.authoritative],
    when: when.platformHas((spec) => spec.dns?.externalDNS === true),
    promise: { finding: ['CW-DNS-OWNER'], artefact: ['dnsendpoint'] },
  }),
  row('DNS-14', 'P L/B', 'The zone is delegated, and no record hides a wildcard.', {
    inputs: ['Platform.spec.domain', 'Platform.spec.dns.authoritative', 'Platform.spec.dns.existing'],
    vantages: [v.authoritative],
    targets: [t.platformName()],
    promise: { finding: ['CW-DNS-SHADOW'], plan: ['dns'] },
  }),
  row('DNS-15', 'P/W', 'Addresses that a cloud may change are not written into records.', {
    inputs: ['Platform.spec.ingress.address.dynamic', 'Seed.spec.gateway.address.dynamic'],
    targets: [t.platform, t.seeds],
    promise: { finding: ['CW-DNS-DYNAMIC'] },
  }),
];

export const dns = rowsOf(groups.dns, [...platformNames, ...seedNames, ...ownership]);
