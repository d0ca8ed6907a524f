// What cert-manager calls to get certificates, and what writes DNS records.
import type { Download, Facts } from '../download.ts';

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';

const acmeUrl = (facts: Facts): URL | undefined => {
  const acme = facts.platform.certificates?.acmeHTTP01 ?? facts.platform.certificates?.acmeDNS01;
  return acme === undefined ? undefined : new URL(acme.server ?? letsEncrypt);
};

const portOf = (url: URL | undefined): number[] =>
  url === undefined ? [] : [url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)];

/** Hosts by provider; cert-manager and external-dns spell some of them differently. */
const dnsApis = new Map<string, readonly string[]>(
  Object.entries({
    route53: ['route53.amazonaws.com'],
    aws: ['route53.amazonaws.com'],
    azuredns: ['management.azure.com', 'login.microsoftonline.com'],
    azure: ['management.azure.com', 'login.microsoftonline.com'],
    cloudflare: ['api.cloudflare.com'],
    clouddns: ['dns.googleapis.com', 'oauth2.googleapis.com'],
    google: ['dns.googleapis.com', 'oauth2.googleapis.com'],
    digitalocean: ['api.digitalocean.com'],
  }),
);
const dnsHosts = (provider: string | undefined): readonly string[] => dnsApis.get(provider?.toLowerCase() ?? '') ?? [];

export const certificateServices: readonly Download[] = [
  {
    host: (facts) => acmeUrl(facts)?.hostname ?? [],
    ports: (facts) => portOf(acmeUrl(facts)),
    paths: (facts) => [acmeUrl(facts)?.pathname ?? '/'],
    component: 'cert-manager',
    reason: 'ACME directory and orders.',
    requirement: 'EGR-12',
    at: ['master', 'seed'],
    service: true,
  },
  {
    host: (facts) => dnsHosts(facts.platform.certificates?.acmeDNS01?.provider),
    component: 'cert-manager (DNS-01)',
    reason: 'Writes the records that prove the domain.',
    requirement: 'CRT-11',
    at: ['master', 'seed'],
    service: true,
  },
  {
    host: (facts) => dnsHosts(facts.platform.dns?.provider),
    component: 'external-dns',
    reason: 'Writes the records of the platform.',
    requirement: 'DNS-13',
    at: ['master', 'seed'],
    when: (facts) => facts.platform.dns?.externalDNS === true,
    service: true,
  },
];
