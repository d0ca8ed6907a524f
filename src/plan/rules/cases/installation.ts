import { type Draft, soundSeed } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

const kubelet = (d: Draft, version: string): void => {
  d.cluster.spec.nodes = { kubeletVersion: version };
};
export const installationCases = {
  'CW-VERSION-SKEW': {
    fires: [
      {
        when: 'kubelets are too old',
        change: (d) => kubelet(d, '1.32.9'),
        at: 'Cluster/web spec.nodes.kubeletVersion',
        says: /1\.32\.9 are 4 minor versions older than the control plane 1\.36\.3/,
        fix: /1\.33 or newer/,
      },
      {
        when: 'kubelets are newer than the control plane',
        change: (d) => kubelet(d, '1.36.4'),
        at: 'Cluster/web spec.nodes.kubeletVersion',
        says: /newer than the control plane/,
      },
    ],
    quiet: [{ when: 'kubelets are three minors older', change: (d) => kubelet(d, '1.33.0') }],
  },
  'CW-VERSION-UNSUPPORTED': {
    fires: [
      {
        when: 'the version is out of support',
        change: (d) => {
          d.cluster.spec.kubernetesVersion = '1.32.9';
        },
        at: 'Cluster/web spec.kubernetesVersion',
        says: /1\.32\.9 is out of support; known are 1\.33 to 1\.36/,
      },
      {
        when: 'the version is not known yet',
        change: (d) => {
          d.cluster.spec.kubernetesVersion = '1.37.0';
        },
        at: 'Cluster/web spec.kubernetesVersion',
        says: /not known yet/,
      },
    ],
    quiet: [
      {
        when: 'the version is the oldest that is known',
        change: (d) => {
          d.cluster.spec.kubernetesVersion = '1.33.0';
        },
      },
    ],
  },
  'CW-DECISION-OPEN': {
    fires: [
      {
        when: 'nobody said what balances load',
        change: (d) => {
          delete d.datacenter.spec.loadBalancer;
        },
        at: 'Datacenter/dc1 spec.loadBalancer',
        says: /LB-3 is not decided/,
        fix: /set spec\.loadBalancer, or record the decision on LB-3/,
      },
      {
        when: 'nobody said where the address of the gateway comes from',
        change: (d) => {
          d.seed.spec.gateway.address = {};
        },
        at: 'Seed/west spec.gateway.address',
        says: /LB-2 is not decided/,
      },
      {
        when: 'nobody said where the address of the ingress comes from',
        change: (d) => {
          d.platform.spec.ingress.address = {};
        },
        at: 'Platform/sample spec.ingress.address',
        says: /LB-1 is not decided/,
      },
    ],
    quiet: [
      {
        when: 'the decision is recorded',
        change: (d) => {
          delete d.datacenter.spec.loadBalancer;
          d.platform.spec.decisions = [{ row: 'LB-3', choice: 'none', owner: 'team', reason: 'nothing is exposed' }];
        },
      },
    ],
  },
  'CW-EDITION-SEEDS': {
    fires: [
      {
        when: 'the Community edition has two seeds',
        change: (d) => {
          d.platform.spec.edition = 'CE';
          d.seeds.push(soundSeed('zone'));
        },
        at: 'Platform/sample spec.edition',
        says: /2 are written down \(west, zone\)/,
      },
    ],
    quiet: [
      {
        when: 'the Community edition has one',
        change: (d) => {
          d.platform.spec.edition = 'CE';
        },
      },
    ],
  },
  'CW-PULL-SECRET': {
    fires: [
      {
        when: 'the Enterprise edition has no pull secret',
        change: (d) => {
          delete d.platform.spec.pullSecret;
        },
        at: 'Platform/sample spec.pullSecret',
        says: /no pull secret/,
      },
    ],
    quiet: [
      {
        when: 'the Community edition needs none',
        change: (d) => {
          delete d.platform.spec.pullSecret;
          d.platform.spec.edition = 'CE';
        },
      },
    ],
  },
  'CW-CATALOGUE-RELEASE': {
    fires: [
      {
        when: 'another release is installed',
        change: (d) => {
          d.platform.spec.release = '2.28';
        },
        at: 'Platform/sample spec.release',
        says: /2\.28 is older than 2\.31/,
      },
    ],
    quiet: [
      {
        when: 'a patch of the same release is installed',
        change: (d) => {
          d.platform.spec.release = '2.31.4';
        },
      },
    ],
  },
  'CW-AUTH-STATIC': {
    fires: [
      {
        when: 'static users cannot log in',
        change: (d) => {
          d.platform.spec.authentication = {
            dex: { staticUsers: [{ email: 'a@example.com', hash: { env: 'HASH' } }] },
          };
        },
        at: 'Platform/sample spec.authentication.dex.passwordDB',
        says: /a@example\.com\) cannot log in/,
      },
    ],
    quiet: [
      {
        when: 'the password database is on',
        change: (d) => {
          const staticUsers = [{ email: 'a@example.com', hash: { env: 'HASH' } }];
          d.platform.spec.authentication = { dex: { staticUsers, passwordDB: true } };
        },
      },
    ],
  },
  'CW-OS-RETIRED': {
    fires: [
      {
        when: 'a datacenter still has CentOS 7',
        change: (d) => {
          d.datacenter.spec.nodes.operatingSystems = ['ubuntu', 'centos-7'];
        },
        at: 'Datacenter/dc1 spec.nodes.operatingSystems[1]',
        says: /CentOS 7/,
      },
      {
        when: 'a cluster still has Container Linux',
        change: (d) => {
          d.cluster.spec.nodes = { operatingSystems: ['container-linux'] };
        },
        at: 'Cluster/web spec.nodes.operatingSystems[0]',
        says: /Container Linux/,
        fix: /flatcar/,
      },
    ],
    quiet: [
      {
        when: 'its successor is used',
        change: (d) => {
          d.datacenter.spec.nodes.operatingSystems = ['rocky'];
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
