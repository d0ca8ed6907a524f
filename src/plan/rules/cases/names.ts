import type { Draft } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

type Certificates = NonNullable<Draft['platform']['spec']['certificates']>;
const certificates = (d: Draft, value: Certificates): void => {
  d.platform.spec.certificates = value;
};
const base = 'kubermatic.example.com';
const existing = (d: Draft, ...names: string[]): void => {
  d.platform.spec.dns = { ...d.platform.spec.dns, existing: names };
};

export const nameCases = {
  'CW-CERT-NAMES': {
    fires: [
      {
        when: 'Dex is to be served under a name of another domain',
        change: (d) => {
          d.platform.spec.authentication = { dex: { issuer: 'https://login.example.org/dex' } };
        },
        at: 'Platform/sample spec.authentication.dex.issuer',
        says: /login\.example\.org is served by the ingress/,
      },
      {
        when: 'a wildcard would have to span two labels',
        change: (d) => {
          certificates(d, { wildcard: true, file: { certificate: 'tls.pem', key: { env: 'KEY' } } });
          d.platform.spec.authentication = { dex: { issuer: `https://dex.login.${base}/dex` } };
        },
        at: 'Platform/sample spec.authentication.dex.issuer',
        says: /the certificate covers only kubermatic\.example\.com, \*\.kubermatic\.example\.com/,
      },
    ],
    quiet: [
      {
        when: 'a wildcard covers one label, and names below a seed have their own',
        change: (d) => {
          certificates(d, { wildcard: true, file: { certificate: 'tls.pem', key: { env: 'KEY' } } });
          d.platform.spec.authentication = { dex: { issuer: `https://dex.${base}` } };
          d.seed.spec.monitoring = { userClusters: true, activeSeries: 1000, logsGiBPerDay: 1, retentionDays: 7 };
        },
      },
    ],
  },
  'CW-CERT-WILDCARD-HTTP01': {
    fires: [
      {
        when: 'HTTP-01 is to prove a wildcard',
        change: (d) => certificates(d, { wildcard: true, acmeHTTP01: { server: 'https://acme.example.com' } }),
        at: 'Platform/sample spec.certificates.wildcard',
        says: /HTTP-01 proves single names only/,
      },
    ],
    quiet: [
      {
        when: 'DNS-01 proves it',
        change: (d) => certificates(d, { wildcard: true, acmeDNS01: { provider: 'route53' } }),
      },
    ],
  },
  'CW-CERT-TRUST': {
    fires: [
      {
        when: 'an own CA is not distributed',
        change: (d) => certificates(d, { ca: { bundle: { file: 'ca.pem' }, key: { env: 'CA_KEY' } } }),
        at: 'Platform/sample spec.certificates.trustBundle',
        says: /own CA/,
      },
      {
        when: 'a self-signed certificate is not distributed',
        change: (d) => certificates(d, { selfSigned: {} }),
        at: 'Platform/sample spec.certificates.trustBundle',
        says: /self-signed/,
      },
    ],
    quiet: [
      {
        when: 'the bundle is distributed',
        change: (d) => certificates(d, { selfSigned: {}, trustBundle: { file: 'trust.pem' } }),
      },
    ],
  },
  'CW-CERT-DNS01': {
    fires: [
      {
        when: 'Let’s Encrypt would have to reach a private address',
        change: (d) => certificates(d, { acmeHTTP01: {} }),
        at: 'Platform/sample spec.certificates.acmeHTTP01',
        says: /cannot reach port 80 of the private address 10\.50\.1\.10/,
        fix: /acmeDNS01/,
      },
      {
        when: 'RFC 2136 does not know where to write',
        change: (d) => certificates(d, { acmeDNS01: { provider: 'rfc2136', credentials: { env: 'TSIG' } } }),
        at: 'Platform/sample spec.certificates.acmeDNS01',
        says: /nameserver, tsigKeyName/,
      },
    ],
    quiet: [
      {
        when: 'the ACME server is inside too',
        change: (d) => certificates(d, { acmeHTTP01: { server: 'https://acme.example.com' } }),
      },
    ],
  },
  'CW-CERT-OFFLINE': {
    fires: [
      {
        when: 'there is no internet to get certificates from',
        change: (d) => {
          d.platform.spec.egress = { mode: 'offline' };
          certificates(d, { acmeDNS01: { provider: 'route53' } });
        },
        at: 'Platform/sample spec.certificates.acmeDNS01',
        says: /egress mode is offline/,
      },
    ],
    quiet: [
      {
        when: 'an own CA issues',
        change: (d) => {
          d.platform.spec.egress = { mode: 'offline' };
        },
      },
    ],
  },
  'CW-DNS-SHADOW': {
    fires: [
      {
        when: 'the name of a cluster exists already',
        change: (d) => existing(d, `web.west.${base}`),
        at: 'Platform/sample spec.dns.existing[0]',
        says: /hides \*\.west\.kubermatic\.example\.com for web\.west\.kubermatic\.example\.com, konnectivity-server\.web\.west/,
      },
      {
        when: 'a name is written relative to the domain',
        change: (d) => existing(d, 'other', 'Grafana.'),
        at: 'Platform/sample spec.dns.existing[1]',
        says: /grafana\.kubermatic\.example\.com exists already/,
      },
    ],
    quiet: [{ when: 'existing names are nobody’s', change: (d) => existing(d, 'www', `www.west.${base}`) }],
  },
  'CW-DNS-DYNAMIC': {
    fires: [
      {
        when: 'a record would hold an address that may change',
        change: (d) => {
          d.platform.spec.ingress.address = { ips: ['10.50.1.10'], dynamic: true };
        },
        at: 'Platform/sample spec.ingress.address',
        says: /10\.50\.1\.10, which the cloud may change/,
      },
      {
        when: 'that of a gateway would',
        change: (d) => {
          d.seed.spec.gateway.address = { ips: ['10.50.0.3'], dynamic: true };
        },
        at: 'Seed/west spec.gateway.address',
        says: /gateway of seed west/,
      },
    ],
    quiet: [
      {
        when: 'external-dns follows it',
        change: (d) => {
          d.platform.spec.ingress.address = { ips: ['10.50.1.10'], dynamic: true };
          d.platform.spec.dns = { ...d.platform.spec.dns, externalDNS: true };
        },
      },
      {
        when: 'records become aliases of a host name',
        change: (d) => {
          d.platform.spec.ingress.address = { hostname: 'lb.cloud.example', dynamic: true };
        },
      },
    ],
  },
  'CW-DNS-OWNER': {
    fires: [
      {
        when: 'external-dns and KubeLB both write',
        change: (d) => {
          d.platform.spec.dns = { ...d.platform.spec.dns, externalDNS: true };
          d.datacenter.spec.loadBalancer = { type: 'kubelb', kubelb: { hub: 'hub.example.com', dns: true } };
        },
        at: 'Datacenter/dc1 spec.loadBalancer.kubelb.dns',
        says: /both write records/,
      },
    ],
    quiet: [
      {
        when: 'only KubeLB writes',
        change: (d) => {
          d.datacenter.spec.loadBalancer = { type: 'kubelb', kubelb: { hub: 'hub.example.com', dns: true } };
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
