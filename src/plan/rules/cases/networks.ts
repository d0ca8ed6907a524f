import { sampleCluster, sampleDatacenter } from '../../testing/sample-model.ts';
import type { Draft } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

const network = (draft: Draft, value: Draft['cluster']['spec']['network']): void => {
  draft.cluster.spec.network = value;
};

export const networkCases = {
  'CW-CIDR-OVERLAP': {
    fires: [
      {
        when: 'pods of the seed have the same network',
        change: (d) => {
          Object.assign(d.seed.spec.nodes, { pods: ['172.26.0.0/16'] });
          d.cluster.spec.network = { pods: ['172.26.128.0/17'] };
        },
        at: 'Cluster/web spec.network.pods[0]',
        says: /overlaps seed pod network 172\.26\.0\.0\/16/,
      },
      {
        when: 'a corporate network holds the default pod network',
        change: (d) => {
          d.platform.spec.corporateNetworks = ['172.16.0.0/12'];
        },
        at: 'Datacenter/dc1 spec.network.pods[0]',
        says: /pod network 172\.25\.0\.0\/16 overlaps corporate network 172\.16\.0\.0\/12/,
        fix: /network\.pods to a free network, for example 10\.3\.0\.0\/16/,
      },
      {
        when: 'users are in the default service network',
        change: (d) => {
          d.platform.spec.users = { networks: ['10.240.0.0/16'] };
        },
        at: 'Datacenter/dc1 spec.network.services[0]',
        says: /service network 10\.240\.16\.0\/20 overlaps user network/,
      },
      {
        when: 'pods and services of one cluster share addresses',
        change: (d) => network(d, { pods: ['10.200.0.0/16'], services: ['10.200.128.0/20'] }),
        at: 'Cluster/web spec.network.pods[0]',
        says: /overlaps service network 10\.200\.128\.0\/20/,
      },
      {
        when: 'pods of a cluster share addresses with its nodes',
        change: (d) => network(d, { pods: ['10.2.0.0/16'] }),
        at: 'Cluster/web spec.network.pods[0]',
        says: /node network 10\.2\.0\.0\/24/,
      },
      {
        when: 'services share addresses with a pool of the seed',
        change: (d) => network(d, { services: ['10.50.0.0/20'] }),
        at: 'Cluster/web spec.network.services[0]',
        says: /pool west-vips 10\.50\.0\.0\/28/,
      },
      {
        when: 'the node-local DNS cache has the address of a company host',
        change: (d) => network(d, { nodeLocalDNS: '192.168.1.1' }),
        at: 'Cluster/web spec.network.nodeLocalDNS',
        says: /corporate network 192\.168\.0\.0\/16/,
        fix: /169\.254\.20\.10/,
      },
      {
        when: 'IPv6 pods and nodes share addresses',
        change: (d) => {
          d.datacenter.spec.nodes.networks.push('fd01::/64');
          network(d, { ipFamily: 'IPv4+IPv6' });
        },
        at: 'Datacenter/dc1 spec.network.pods[1]',
        says: /pod network fd01::\/48 overlaps node network fd01::\/64/,
      },
      {
        when: 'two datacenters share a node network',
        change: (d) => {
          d.datacenters.push(sampleDatacenter('dc2', { nodes: { networks: ['10.2.0.128/25'] } }));
        },
        at: 'Datacenter/dc2 spec.nodes.networks[0]',
        says: /10\.2\.0\.128\/25 overlaps node network 10\.2\.0\.0\/24 of datacenter dc1/,
      },
    ],
    quiet: [
      {
        when: 'pods and services of two clusters are the same',
        change: (d) => {
          d.clusters.push(sampleCluster('zoo'));
        },
      },
      {
        when: 'users come from everywhere',
        change: (d) => {
          d.platform.spec.users = { networks: ['0.0.0.0/0', '::/0'] };
        },
      },
      {
        when: 'networks are neighbours',
        change: (d) => network(d, { pods: ['10.3.0.0/16'], services: ['10.4.0.0/16'] }),
      },
    ],
  },
  'CW-AGENT-IP': {
    fires: [
      {
        when: 'the default agent IP lies inside the services',
        change: (d) => network(d, { services: ['100.64.0.0/13'] }),
        at: 'Cluster/web spec.network.services',
        says: /agent IP 100\.64\.30\.10 lies inside service network 100\.64\.0\.0\/13/,
        fix: /for example 198\.18\.30\.10/,
      },
      {
        when: 'an exempt network of the company holds it',
        change: (d) => {
          d.platform.spec.proxy = { https: 'http://proxy.example.com:3128', noProxy: ['100.64.0.0/10'] };
        },
        at: 'Datacenter/dc1 spec.network.agentIP',
        says: /noProxy network 100\.64\.0\.0\/10/,
      },
      {
        when: 'it is an address of the node network',
        change: (d) => network(d, { agentIP: '10.2.0.77' }),
        at: 'Cluster/web spec.network.agentIP',
        says: /node network 10\.2\.0\.0\/24/,
        fix: /100\.64\.30\.10/,
      },
    ],
    quiet: [
      {
        when: 'the strategy binds no agent IP',
        change: (d) => {
          d.cluster.spec.exposeStrategy = 'NodePort';
          network(d, { services: ['100.64.0.0/13'] });
        },
      },
      {
        when: 'another agent IP is set',
        change: (d) => network(d, { services: ['100.64.0.0/13'], agentIP: '198.18.30.10' }),
      },
    ],
  },
  'CW-IP-FAMILY': {
    fires: [
      {
        when: 'a single-stack cluster lists two pod networks',
        change: (d) => network(d, { pods: ['10.200.0.0/16', 'fd05::/48'] }),
        at: 'Cluster/web spec.network.pods',
        says: /ipFamily is IPv4, but the pod networks are 10\.200\.0\.0\/16, fd05::\/48/,
      },
      {
        when: 'a dual-stack cluster lists IPv6 first',
        change: (d) => {
          d.datacenter.spec.nodes.networks.push('fd09::/64');
          network(d, { ipFamily: 'IPv4+IPv6', services: ['fd05::/108', '10.200.0.0/16'] });
        },
        at: 'Cluster/web spec.network.services',
        says: /IPv4\+IPv6/,
        fix: /IPv4 first/,
      },
      {
        when: 'the nodes of a dual-stack cluster have no IPv6',
        change: (d) => network(d, { ipFamily: 'IPv4+IPv6' }),
        at: 'Cluster/web spec.network.ipFamily',
        says: /the nodes have IPv4 only/,
        fix: /Datacenter\/dc1/,
      },
      {
        when: 'the pod network is smaller than what a node gets',
        change: (d) => network(d, { pods: ['10.200.0.0/25'] }),
        at: 'Cluster/web spec.network.pods[0]',
        says: /smaller than the \/24/,
      },
      {
        when: 'the service network is larger than the API server accepts',
        change: (d) => network(d, { services: ['100.0.0.0/10'] }),
        at: 'Cluster/web spec.network.services[0]',
        says: /larger than/,
        fix: /\/12 or longer/,
      },
    ],
    quiet: [
      {
        when: 'both families are there',
        change: (d) => {
          d.datacenter.spec.nodes.networks.push('fd09::/64');
          network(d, { ipFamily: 'IPv4+IPv6' });
        },
      },
    ],
  },
  'CW-SOURCE-RANGES': {
    fires: [
      {
        when: 'no user network is allowed',
        change: (d) => {
          d.cluster.spec.limits = { allowedSourceRanges: ['10.0.0.0/24'] };
        },
        at: 'Cluster/web spec.limits.allowedSourceRanges',
        says: /none of the networks of the users/,
        fix: /10\.100\.0\.0\/16/,
      },
    ],
    quiet: [
      {
        when: 'a part of the users is allowed',
        change: (d) => {
          d.cluster.spec.limits = { allowedSourceRanges: ['10.100.7.0/24'] };
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
