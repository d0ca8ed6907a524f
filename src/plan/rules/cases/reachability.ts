import type { Draft } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

type Proxy = NonNullable<Draft['platform']['spec']['proxy']>;
const https = 'http://proxy.example.com:3128';
const behindProxy = (d: Draft, proxy: Partial<Proxy> = {}): void => {
  d.platform.spec.proxy = { https, ...proxy };
  d.datacenter.spec.workers = { route: 'proxy' };
};
const offline = (d: Draft, registry?: Draft['platform']['spec']['registry']): void => {
  d.platform.spec.egress = { mode: 'offline' };
  if (registry !== undefined) d.platform.spec.registry = registry;
};
const mirror = { host: 'registry.corp.example:5000', binaries: 'https://mirror.corp.example/binaries' };

export const reachabilityCases = {
  'CW-TUNNEL-PROXY': {
    fires: [
      {
        when: 'Envoy agents stand behind the proxy',
        change: (d) => {
          behindProxy(d);
          d.cluster.spec.workers = { agent: 'envoy' };
        },
        at: 'Cluster/web spec.workers.agent',
        says: /stock Envoy agent cannot cross/,
        fix: /workers\.agent to causeway/,
      },
    ],
    quiet: [{ when: 'our agent goes through the proxy', change: (d) => behindProxy(d) }],
  },
  'CW-AGENT-ENVOY': {
    fires: [
      {
        when: 'the gateway asks Envoy for a token',
        change: (d) => {
          d.datacenter.spec.workers = { agent: 'envoy' };
        },
        at: 'Datacenter/dc1 spec.workers.agent',
        says: /asks for a token/,
      },
      {
        when: 'Envoy would have to speak TLS on the single port',
        change: (d) => {
          d.seed.spec.gateway = { ...d.seed.spec.gateway, offers: ['single'], tunnelAuthentication: 'none' };
          d.datacenter.spec.workers = { agent: 'envoy' };
        },
        at: 'Datacenter/dc1 spec.workers.agent',
        says: /single port is TLS/,
      },
    ],
    quiet: [
      {
        when: 'the gateway makes the concession',
        change: (d) => {
          d.seed.spec.gateway.tunnelAuthentication = 'none';
          d.datacenter.spec.workers = { agent: 'envoy' };
        },
      },
    ],
  },
  'CW-PROXY-MISSING': {
    fires: [
      {
        when: 'downloads need a proxy that nobody named',
        change: (d) => {
          d.platform.spec.egress = { mode: 'proxy' };
        },
        at: 'Platform/sample spec.egress.mode',
        says: /downloads go through a proxy, but none is configured/,
      },
      {
        when: 'the way to the gateway needs a proxy that is switched off',
        change: (d) => {
          behindProxy(d);
          d.cluster.spec.proxy = { enabled: false };
        },
        at: 'Cluster/web spec.proxy',
        says: /workers reach the gateway through a proxy, but none/,
      },
      {
        when: 'the proxy serves http only',
        change: (d) => {
          d.platform.spec.egress = { mode: 'proxy' };
          d.platform.spec.proxy = { http: https };
        },
        at: 'Platform/sample spec.egress.mode',
        says: /has no https/,
      },
    ],
    quiet: [{ when: 'there is a proxy', change: (d) => behindProxy(d) }],
  },
  'CW-PROXY-PORT': {
    fires: [
      {
        when: 'the proxy allows only 443 and workers use the split ports',
        change: (d) => behindProxy(d, { connectPorts: [443] }),
        at: 'Datacenter/dc1 spec.workers.route',
        says: /need 6443 and 8088 through the proxy, which allows CONNECT only to 443/,
        fix: /add single to gateway\.offers of seed west, set workers\.entry to single/,
      },
    ],
    quiet: [
      {
        when: 'workers use the single port',
        change: (d) => {
          behindProxy(d, { connectPorts: [443] });
          d.seed.spec.gateway.offers = ['single'];
        },
      },
    ],
  },
  'CW-PODS-NO-WAY': {
    fires: [
      {
        when: 'pods would dial a node port through the proxy',
        change: (d) => {
          behindProxy(d);
          d.cluster.spec.exposeStrategy = 'NodePort';
        },
        at: 'Cluster/web spec.exposeStrategy',
        says: /with NodePort pods dial it directly/,
        fix: /Tunneling/,
      },
    ],
    quiet: [
      {
        when: 'there is a direct way',
        change: (d) => {
          d.cluster.spec.exposeStrategy = 'NodePort';
          d.platform.spec.proxy = { https };
        },
      },
    ],
  },
  'CW-NOPROXY': {
    fires: [
      {
        when: 'an entry exempts the only way to the gateway',
        change: (d) => behindProxy(d, { noProxy: ['.example.com'] }),
        at: 'Platform/sample spec.proxy.noProxy[0]',
        says: /exempts the gateway of seed west/,
      },
      {
        when: 'such an entry names a port',
        change: (d) => behindProxy(d, { noProxy: ['kubermatic.example.com:443'] }),
        at: 'Platform/sample spec.proxy.noProxy[0]',
        says: /exempts the gateway of seed west/,
      },
      {
        when: 'an entry has a scheme',
        change: (d) => {
          d.cluster.spec.proxy = { noProxy: ['https://registry.example.org'] };
        },
        at: 'Cluster/web spec.proxy.noProxy[0]',
        says: /has a scheme/,
        fix: /registry\.example\.org/,
      },
      {
        when: 'an entry has host bits',
        change: (d) => {
          d.seed.spec.proxy = { noProxy: ['a.example.org', '10.0.0.1/8'] };
        },
        at: 'Seed/west spec.proxy.noProxy[1]',
        says: /host bits/,
        fix: /10\.0\.0\.0\/8/,
      },
      {
        when: 'one entry holds several',
        change: (d) => {
          d.platform.spec.proxy = { noProxy: ['a.example.org, b.example.org'] };
        },
        at: 'Platform/sample spec.proxy.noProxy[0]',
        says: /several entries/,
      },
    ],
    quiet: [
      {
        when: 'entries are of every usual form',
        change: (d) =>
          behindProxy(d, {
            noProxy: [
              'example.org',
              '.corp.example',
              '*.lab.example',
              '10.9.0.0/16',
              '10.1.2.3',
              'fd00::/8',
              '::1',
              'host:8080',
            ],
          }),
      },
      {
        when: 'the gateway is exempt where there is a direct way',
        change: (d) => {
          d.platform.spec.proxy = { https, noProxy: ['.example.com'] };
        },
      },
    ],
  },
  'CW-ENTRY-NOT-OFFERED': {
    fires: [
      {
        when: 'workers use the single port of a gateway without one',
        change: (d) => {
          d.datacenter.spec.workers = { entry: 'single' };
        },
        at: 'Datacenter/dc1 spec.workers.entry',
        says: /offers only split/,
      },
    ],
    quiet: [
      {
        when: 'the gateway offers both',
        change: (d) => {
          d.seed.spec.gateway.offers = ['split', 'single'];
          d.datacenter.spec.workers = { entry: 'single' };
        },
      },
    ],
  },
  'CW-TUNNEL-CLEARTEXT': {
    fires: [
      {
        when: 'nobody needs cleartext',
        change: (d) => {
          d.seed.spec.gateway.tunnelAuthentication = 'none';
        },
        at: 'Seed/west spec.gateway.tunnelAuthentication',
        says: /no cluster has stock Envoy agents/,
      },
    ],
    quiet: [
      {
        when: 'a cluster still has Envoy agents',
        change: (d) => {
          d.seed.spec.gateway.tunnelAuthentication = 'none';
          d.cluster.spec.workers = { agent: 'envoy' };
        },
      },
    ],
  },
  'CW-GATEWAY-PORTS': {
    fires: [
      {
        when: 'two listeners have one port',
        change: (d) => {
          d.seed.spec.gateway.ports = { sni: 443, tunnel: 443 };
        },
        at: 'Seed/west spec.gateway.ports',
        says: /port 443 is used by two listeners/,
      },
    ],
    quiet: [
      {
        when: 'the other listener is not offered',
        change: (d) => {
          d.seed.spec.gateway.offers = ['split'];
          d.seed.spec.gateway.ports = { sni: 443 };
        },
      },
    ],
  },
  'CW-OFFLINE-REGISTRY': {
    fires: [
      {
        when: 'no private registry is named',
        change: (d) => offline(d),
        at: 'Platform/sample spec.egress.mode',
        says: /no private registry/,
      },
      {
        when: 'the registry is a public one',
        change: (d) => offline(d, { ...mirror, host: 'quay.io:443' }),
        at: 'Platform/sample spec.egress.mode',
        says: /quay\.io:443 is a public registry/,
      },
    ],
    quiet: [{ when: 'images are mirrored', change: (d) => offline(d, mirror) }],
  },
  'CW-OFFLINE-MIRROR': {
    fires: [
      {
        when: 'Ubuntu nodes have no packages',
        change: (d) => offline(d, mirror),
        at: 'Platform/sample spec.registry',
        says: /no mirror for packages/,
      },
    ],
    quiet: [
      {
        when: 'Flatcar nodes need none',
        change: (d) => {
          offline(d, mirror);
          d.datacenter.spec.nodes.operatingSystems = ['flatcar'];
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
