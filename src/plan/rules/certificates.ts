// The one certificate of the platform: all names in it, issued in a way that can work, trusted by those who need it.

import { contains, parseAddress, parseCidr, rangeOf } from '../../core/ip.ts';
import { tlsCovers } from '../../core/names.ts';
import type { Finding } from '../../model/index.ts';
import type { Platform } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import { masterIngress } from '../places/ids.ts';
import { platformSettings } from '../settings/index.ts';
import { finding, nameOf, none, type PlanRule, type ReviewedPlan } from './rule.ts';

/** CRT-6, CRT-7: everything that the ingress serves is covered by the one certificate it has. */
export const certificateNamesRule: PlanRule = ({ model }, plan) => {
  const certificate = plan.certificates.find(({ name }) => name === 'platform');
  if (certificate === undefined) return none;
  return [...servedNames(model.platform, plan)]
    .filter(([name]) => !certificate.dnsNames.some((pattern) => tlsCovers(pattern, name)))
    .map(([name, path]) =>
      finding('CW-CERT-NAMES', {
        resource: nameOf(model.platform),
        path: path.split('.'),
        message: `${name} is served by the ingress, but the certificate covers only ${shown(certificate.dnsNames)}`,
        fix: `use a name below ${model.platform.spec.domain}, or ask for a certificate with ${name} too`,
      }),
    );
};

function servedNames({ spec }: Platform, plan: ReviewedPlan): Map<string, string> {
  const records = plan.dns.records.filter(({ name, place }) => place === masterIngress && !name.startsWith('*.'));
  const names = new Map(records.map(({ name }) => [name, 'spec.certificates']));
  const issuer = spec.authentication?.dex?.issuer;
  if (issuer !== undefined) names.set(URL.parse(issuer)?.hostname ?? spec.domain, 'spec.authentication.dex.issuer');
  return names;
}

const shown = (names: readonly string[]): string =>
  names.length <= 4 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

const onPlatform = (
  code: Parameters<typeof finding>[0],
  platform: Platform,
  field: string,
  message: string,
  fix: string,
): Finding[] => [
  finding(code, {
    resource: nameOf(platform),
    path: ['spec', 'certificates', ...(field === '' ? [] : [field])],
    message,
    fix,
  }),
];

export const wildcardRule: PlanRule = ({ model: { platform } }) => {
  const { wildcard, acmeHTTP01 } = platform.spec.certificates ?? {};
  if (wildcard !== true || acmeHTTP01 === undefined) return none;
  return onPlatform(
    'CW-CERT-WILDCARD-HTTP01',
    platform,
    'wildcard',
    `*.${platform.spec.domain} is asked for, but HTTP-01 proves single names only`,
    'set certificates.wildcard to false, or use acmeDNS01 instead of acmeHTTP01',
  );
};

/** CRT-9, CRT-10, CRT-12. */
export const trustRule: PlanRule = ({ model: { platform } }) => {
  const { ca, selfSigned, trustBundle } = platform.spec.certificates ?? {};
  if ((ca ?? selfSigned) === undefined || trustBundle !== undefined) return none;
  return onPlatform(
    'CW-CERT-TRUST',
    platform,
    'trustBundle',
    `the certificate comes from ${ca === undefined ? 'a self-signed issuer' : 'an own CA'}, but no trustBundle is distributed`,
    'set certificates.trustBundle to a file or ConfigMap with this CA, all intermediates and the public roots',
  );
};

const privateNetworks = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
].map(parseCidr);

export const isPrivate = (address: string): boolean => {
  const range = rangeOf(parseAddress(address));
  return privateNetworks.some((network) => contains(network, range));
};

/** CRT-11: a challenge that nobody outside can answer. */
export const challengeRule: PlanRule = (ctx) => {
  const { platform } = ctx.model;
  const { acmeHTTP01, acmeDNS01 } = platform.spec.certificates ?? {};
  if (acmeHTTP01 !== undefined && acmeHTTP01.server === undefined) return unreachable(ctx);
  if (acmeDNS01?.provider !== 'rfc2136') return none;
  const missing = (['nameserver', 'tsigKeyName', 'credentials'] as const).filter(
    (field) => acmeDNS01[field] === undefined,
  );
  if (missing.length === 0) return none;
  return onPlatform(
    'CW-CERT-DNS01',
    platform,
    'acmeDNS01',
    `rfc2136 updates need ${missing.join(', ')}`,
    `set ${missing.map((field) => `acmeDNS01.${field}`).join(', ')}`,
  );
};

function unreachable({ ingress, model: { platform } }: PlanContext): readonly Finding[] {
  if (ingress.addresses.length === 0 || !ingress.addresses.every(isPrivate)) return none;
  return onPlatform(
    'CW-CERT-DNS01',
    platform,
    'acmeHTTP01',
    `Let’s Encrypt cannot reach port 80 of the private address ${ingress.addresses.join(', ')}`,
    'use acmeDNS01 with the provider of the public zone, or set acmeHTTP01.server to an ACME server inside the network',
  );
}

/** EGR-12. */
export const acmeOfflineRule: PlanRule = (ctx) => {
  const { model } = ctx;
  const { acmeHTTP01, acmeDNS01 } = model.platform.spec.certificates ?? {};
  const acme = acmeHTTP01 ?? acmeDNS01;
  if (acme === undefined || acme.server !== undefined) return none;
  if (platformSettings(ctx).effective.egressMode !== 'offline') return none;
  return onPlatform(
    'CW-CERT-OFFLINE',
    model.platform,
    acmeHTTP01 === undefined ? 'acmeDNS01' : 'acmeHTTP01',
    'egress mode is offline, but certificates come from Let’s Encrypt',
    'use an own CA, a supplied file or another issuer, or set server to an ACME server inside the network',
  );
};
