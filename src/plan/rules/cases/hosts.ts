import { sampleCluster } from '../../testing/sample-model.ts';
import { type Draft, soundSeed } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

const base = 'kubermatic.example.com';
const existing = (d: Draft, ...names: string[]): void => {
  d.platform.spec.dns = { ...d.platform.spec.dns, existing: names };
};
const longDomain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;

export const hostCases = {
  'CW-DNS-CAPTURED': {
    fires: [
      {
        when: 'the API of a seed has no record of its own',
        change: (d) => {
          d.seed.spec.api.host = `k8s.west.${base}`;
        },
        at: 'Seed/west spec.api.host',
        says: /\*\.west\.kubermatic\.example\.com answers for it: clients would end up at seed\/west\/gateway/,
        fix: /add k8s\.west\.kubermatic\.example\.com to dns\.existing/,
      },
      {
        when: 'the git repository is named below the domain',
        change: (d) => {
          d.platform.spec.configRepository = { url: `git@git.${base}:platform/config.git` };
        },
        at: 'Platform/sample spec.configRepository.url',
        says: /git repository git\.kubermatic\.example\.com .* master\/ingress/,
      },
    ],
    quiet: [
      {
        when: 'the names exist already',
        change: (d) => {
          d.seed.spec.api.host = `k8s.west.${base}`;
          d.platform.spec.configRepository = { url: `https://git.${base}/x.git`, keyStore: { gitCrypt: true } };
          existing(d, 'k8s.west', `git.${base}`);
        },
      },
      {
        when: 'there are no wildcards',
        change: (d) => {
          d.seed.spec.api.host = `k8s.west.${base}`;
          d.platform.spec.dns = { ...d.platform.spec.dns, wildcards: false };
        },
      },
    ],
  },
  'CW-SEED-DOMAIN': {
    fires: [
      {
        when: 'the domain is written again',
        change: (d) => {
          d.seed.spec.dnsName = `west.${base}`;
        },
        at: 'Seed/west spec.dnsName',
        says: /names would end in west\.kubermatic\.example\.com\.kubermatic\.example\.com/,
        fix: /for example west$/,
      },
      {
        when: 'another domain is written',
        change: (d) => {
          d.seed.spec.dnsName = 'west.example.org';
        },
        at: 'Seed/west spec.dnsName',
        says: /west\.example\.org is a full name/,
      },
    ],
    quiet: [
      {
        when: 'a name has two labels',
        change: (d) => {
          d.seed.spec.dnsName = 'west.eu';
        },
      },
    ],
  },
  'CW-NAME-CONFLICT': {
    fires: [
      {
        when: 'a cluster has the name of the tunnel',
        change: (d) => {
          d.clusters.push(sampleCluster('tunnel'));
        },
        at: 'Cluster/tunnel metadata.name',
        says: /tunnel\.west\.kubermatic\.example\.com is the name of the tunnel/,
      },
      {
        when: 'a cluster has the name of the API of its seed',
        change: (d) => {
          d.seed.spec.api.host = `api.west.${base}`;
          existing(d, 'api.west');
          d.clusters.push(sampleCluster('api'));
        },
        at: 'Cluster/api metadata.name',
        says: /api\.west\.kubermatic\.example\.com is the name of the API of the seed already/,
      },
      {
        when: 'the key store has a name of the platform',
        change: (d) => {
          d.platform.spec.configRepository = {
            url: 'https://git.example.com/x.git',
            keyStore: { vault: { address: `https://grafana.${base}` } },
          };
        },
        at: 'Platform/sample spec.configRepository.keyStore.vault.address',
        says: /a name that the platform answers under itself/,
      },
      {
        when: 'two seeds have one domain',
        change: (d) => {
          const second = soundSeed('zone');
          second.spec.dnsName = 'west';
          d.seeds.push(second);
        },
        at: 'Seed/zone spec.dnsName',
        says: /domain of seed west/,
      },
    ],
    quiet: [
      {
        when: 'a cluster is called grafana, but the seed has none',
        change: (d) => {
          d.clusters.push(sampleCluster('grafana'));
        },
      },
    ],
  },
  'CW-NAME-TOO-LONG': {
    fires: [
      {
        when: 'the name of a tunnel server grows too long',
        change: (d) => {
          d.platform.spec.domain = longDomain;
          d.clusters.push(sampleCluster('x'.repeat(40)));
        },
        at: `Cluster/${'x'.repeat(40)} metadata.name`,
        says: /has 26\d characters; DNS allows 253/,
        fix: /save \d+ characters/,
      },
      {
        when: 'the domain of a seed grows too long',
        change: (d) => {
          d.platform.spec.domain = longDomain;
          d.seed.spec.dnsName = 'd'.repeat(60);
        },
        at: 'Seed/west spec.dnsName',
        says: /DNS allows 253/,
      },
    ],
    quiet: [
      {
        when: 'a name has just room enough',
        change: (d) => {
          d.platform.spec.domain = longDomain;
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
