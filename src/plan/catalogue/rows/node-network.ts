// DHCP and the networks of the nodes.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const networks = ['Platform.spec.master.nodes.networks', 'Seed.spec.nodes.networks', 'Datacenter.spec.nodes.networks'];

export const nodeNetwork = rowsOf(groups.nodeNetworks, [
  row('NET-1', 'L/B', 'DHCP serves the workers, with router and name servers.', {
    inputs: ['networks', 'dhcp.enabled', 'planned', 'surge'].map((field) => `Datacenter.spec.nodes.${field}`),
    vantages: [v.workers],
    targets: [t.workerNetworks],
  }),
  row('NET-2', 'P/B', 'The ways to balance load are known before the network is planned.', {
    inputs: ['Seed.spec.loadBalancer.type', 'Datacenter.spec.loadBalancer.type'],
    targets: [t.seeds, t.datacenters],
    promise: { finding: ['CW-DECISION-OPEN'] },
  }),
  row('NET-3', 'L/B', 'Nodes of a management cluster reach each other.', {
    inputs: ['Platform.spec.master.nodes.networks', 'Seed.spec.nodes.networks', live('list of the nodes')],
    vantages: [v.master, v.seeds],
    targets: [t.managementNodes],
  }),
  row('NET-4', 'L/B', 'Nodes of a user cluster reach each other, also by the overlay of the network plugin.', {
    inputs: ['Cluster.spec.network.cni', 'Datacenter.spec.nodes.networks', live('list of the nodes')],
    vantages: [v.workers],
    targets: [t.workerNetworks],
    clusters: t.clusters,
    when: when.someDatacenter(() => true),
  }),
  row('NET-5', 'P/B', 'No network hides another.', {
    inputs: [
      ...networks,
      'Cluster.spec.network.pods',
      'Cluster.spec.network.services',
      'Cluster.spec.network.agentIP',
      'Cluster.spec.network.nodeLocalDNS',
      'AddressPool.spec.ranges',
      'Platform.spec.corporateNetworks',
    ],
    targets: [t.nodeNetworks],
    promise: { finding: ['CW-CIDR-OVERLAP', 'CW-AGENT-IP'], artefact: ['address-plan'] },
  }),
]);
