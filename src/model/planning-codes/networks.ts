import type { CodeInfo } from '../finding.ts';

/** Networks: who lives in which addresses. */
export const networkCodes = {
  'CW-CIDR-OVERLAP': {
    severity: 'error',
    title: 'Two networks that must be told apart share addresses',
    explanation:
      'Pods, services, nodes, virtual IPs, users and the company must not share addresses where one of them has to reach the other: a node keeps packets for its own pod and service networks, so the other side becomes unreachable without any error. Pod and service networks of different clusters may be equal, because they never meet.',
    fix: 'Move one of the two networks to a free range.',
    rows: ['NET-5'],
  },
  'CW-AGENT-IP': {
    severity: 'error',
    title: 'The agent IP lies inside a network that is in use',
    explanation:
      'With Tunneling every worker binds the agent IP to a local interface. An address of a pod, service, node or company network would be taken away from its owner, and pods would talk to the wrong side when they look for the API server.',
    fix: 'Set network.agentIP to an address that no network of the cluster, its datacenter, its seed or the company contains.',
    rows: ['NET-5', 'API-4'],
  },
  'CW-IP-FAMILY': {
    severity: 'error',
    title: 'Networks do not fit the address family',
    explanation:
      'A dual-stack cluster needs one IPv4 and one IPv6 network each for pods and services, IPv4 first, and IPv6 on its nodes. A single-stack cluster has IPv4 only. A pod network must leave room for one /24 (IPv6: /64) per node, and kube-apiserver refuses service networks with more than 20 host bits.',
    fix: 'List one network per family, IPv4 first, or change network.ipFamily.',
    rows: ['NET-5'],
  },
  'CW-SOURCE-RANGES': {
    severity: 'warning',
    title: 'The allowed source ranges leave out all users',
    explanation:
      'limits.allowedSourceRanges is enforced by the gateway, which always lets workers, master and seed in. When no user network is inside, kubectl is refused for everybody.',
    fix: 'Add the networks of the users, or remove the ranges.',
    rows: ['PRT-11', 'PRT-12', 'PRT-13'],
  },
  'CW-DHCP-REQUIRED': {
    severity: 'error',
    title: 'The worker network has no DHCP',
    explanation: 'Machines of user clusters are created without an address of their own; without DHCP they never join.',
    fix: 'Enable DHCP on the worker network and set nodes.dhcp.enabled to true.',
    rows: ['NET-1', 'VS-9'],
  },
  'CW-STATIC-RANGE': {
    severity: 'error',
    title: 'The static ranges are too small, or outside the node network',
    explanation:
      'Without DHCP the nodes of a management cluster take their addresses from static ranges: three for the control plane and one for each worker.',
    fix: 'Enlarge nodes.staticRanges inside nodes.networks, or enable DHCP.',
    rows: ['VS-9'],
  },
  'CW-AUTOSCALER-STATIC': {
    severity: 'warning',
    title: 'The node group can grow beyond its static addresses',
    explanation: 'An autoscaler adds machines until the static range is exhausted; the next machine has no address.',
    fix: 'Use DHCP on the node network, or enlarge the static range to the largest size of the group.',
    rows: ['VS-10'],
  },
  'CW-SUBNET-SIZE': {
    severity: 'error',
    title: 'More nodes are planned than the network has addresses',
    explanation:
      'During an update the surge nodes exist in addition to the planned ones. Azure keeps five addresses of each subnet for itself; elsewhere network, broadcast and router address are lost.',
    fix: 'Use a larger network or DHCP range, or plan fewer nodes.',
    rows: ['AZ-3', 'NET-1', 'INF-2'],
  },
  'CW-TENANT-OVERLAP': {
    severity: 'error',
    title: 'Networks of two tenants overlap',
    explanation:
      'Tenants are separated by their networks; where these overlap, firewall rules of one tenant hold for the other.',
    fix: 'Give each tenant a network of its own.',
    rows: ['VS-4', 'OS-6'],
  },
  'CW-TENANT-SHARED': {
    severity: 'error',
    title: 'Two tenants share a user, a credential or a project',
    explanation:
      'Whoever holds the shared credential can change the machines of both tenants, so the separation exists on paper only.',
    fix: 'Create one technical user and credential for each tenant and one for the management components.',
    rows: ['VS-4', 'OS-9'],
  },
} as const satisfies Record<string, CodeInfo>;
