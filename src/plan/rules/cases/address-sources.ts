import type { Cases } from './case.ts';

export const addressSourceCases = {
  'CW-POOL-FAMILY': {
    fires: [
      {
        when: 'networks of both families are cut by one length',
        change: (d) => {
          d.datacenterPool.spec.ranges = ['10.2.0.192/26', '2001:db8:2::/64'];
          d.datacenterPool.spec.allocation = { prefix: 30 };
        },
        at: 'AddressPool/dc1-vips spec.allocation.prefix',
        says: /one length \(\/30\) cannot serve both/,
        fix: /one pool per family/,
      },
    ],
    quiet: [
      {
        when: 'both families hand out single addresses',
        change: (d) => {
          d.datacenterPool.spec.ranges = ['10.2.0.200-10.2.0.219', '2001:db8:2::/112'];
        },
      },
    ],
  },
  'CW-ADDRESS-SOURCE': {
    fires: [
      {
        when: 'a gateway has fixed addresses and a pool',
        change: (d) => {
          d.seed.spec.gateway.address = { ips: ['10.50.0.3'], pool: 'west-vips' };
        },
        at: 'Seed/west spec.gateway.address',
        says: /ips and pool are set together/,
        fix: /keep one of ips, pool/,
      },
      {
        when: 'the ingress has fixed addresses and a host name',
        change: (d) => {
          d.platform.spec.ingress.address = { ips: ['10.50.1.10'], hostname: 'lb.cloud.example' };
        },
        at: 'Platform/sample spec.ingress.address',
        says: /ips and hostname are set together/,
      },
    ],
    quiet: [
      {
        when: 'a cloud gave a name that may change',
        change: (d) => {
          d.platform.spec.ingress.address = { hostname: 'lb.cloud.example', dynamic: true };
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
