// The platform's part of a generated model. Addresses follow from the index of a document, so nothing overlaps.
import fc from 'fast-check';
import type { Platform } from '../../model/schema/index.ts';
import { samplePlatform } from './sample-model.ts';

export interface PlatformChoices {
  readonly strategy: 'NodePort' | 'LoadBalancer' | 'Tunneling' | undefined;
  readonly egress: 'direct' | 'proxy' | 'offline';
  readonly twoProxies: boolean;
  readonly dualStack: boolean;
  readonly ingress: 'known' | 'hostname' | 'pending';
  readonly httpsPort: number | undefined;
  readonly masterIsSeed: boolean;
  readonly access: 'none' | 'direct' | 'bastion';
  readonly identity: 'none' | 'dex' | 'ldap' | 'github' | 'external';
  readonly certificates: 'none' | 'http01' | 'dns01';
  readonly repository: boolean;
}

export const arbitraryPlatform: fc.Arbitrary<PlatformChoices> = fc.record({
  strategy: fc.constantFrom(undefined, 'NodePort', 'LoadBalancer', 'Tunneling'),
  egress: fc.constantFrom('direct', 'proxy', 'offline'),
  twoProxies: fc.boolean(),
  dualStack: fc.boolean(),
  ingress: fc.constantFrom('known', 'hostname', 'pending'),
  httpsPort: fc.constantFrom(undefined, 8443),
  masterIsSeed: fc.boolean(),
  access: fc.constantFrom('none', 'direct', 'bastion'),
  identity: fc.constantFrom('none', 'dex', 'ldap', 'github', 'external'),
  certificates: fc.constantFrom('none', 'http01', 'dns01'),
  repository: fc.boolean(),
});

export const platformOf = (choice: PlatformChoices): Platform =>
  samplePlatform({
    exposeStrategy: choice.strategy,
    users: { networks: ['10.250.0.0/16', ...(choice.dualStack ? ['2001:db8:1::/48'] : [])] },
    master: masterOf(choice),
    ingress: { address: ingressOf(choice), httpsPort: choice.httpsPort },
    dns: {
      servers: ['10.1.0.53', ...(choice.dualStack ? ['2001:db8:3::53'] : [])],
      authoritative: ['ns1.example.com'],
    },
    egress: { mode: choice.egress },
    ...proxyOf(choice),
    ...(choice.egress === 'offline'
      ? { registry: { host: '10.1.0.5:5000', binaries: 'https://mirror.example.com' } }
      : {}),
    ...accessOf(choice),
    ...identityOf(choice),
    ...certificatesOf(choice),
    ...(choice.repository
      ? {
          configRepository: {
            url: 'git@git.example.com:platform/config.git',
            keyStore: { vault: { address: 'https://vault.example.com:8200' } },
          },
        }
      : {}),
  });

const masterOf = (choice: PlatformChoices): Platform['spec']['master'] => ({
  // A master that is its own seed has the nodes of the first seed.
  nodes: choice.masterIsSeed
    ? { networks: ['10.10.0.0/24'] }
    : { networks: ['10.0.0.0/24', ...(choice.dualStack ? ['2001:db8:2::/64'] : [])] },
  api: choice.masterIsSeed ? { host: 'api.seed-00.example.com', port: 6443 } : { host: '10.0.1.10' },
  ...(choice.masterIsSeed ? { seed: 'seed-00' } : {}),
});

function ingressOf(choice: PlatformChoices): Platform['spec']['ingress']['address'] {
  if (choice.ingress === 'hostname') return { hostname: 'ingress.cloud.example.net' };
  if (choice.ingress === 'pending') return { dynamic: true };
  return { ips: ['10.0.1.20', ...(choice.dualStack ? ['2001:db8:2:1::20'] : [])] };
}

function proxyOf(choice: PlatformChoices): Partial<Platform['spec']> {
  if (choice.egress !== 'proxy') return {};
  const https = choice.twoProxies ? 'http://secure-proxy.example.com:8443' : 'http://10.1.0.31:3128';
  return { proxy: { http: 'http://10.1.0.31:3128', https, connectPorts: [443, 6443, 8088] } };
}

function accessOf(choice: PlatformChoices): Partial<Platform['spec']> {
  if (choice.access === 'none') return {};
  const installer = { host: '10.1.0.10', networks: ['10.1.0.0/28'] };
  return {
    access:
      choice.access === 'direct' ? { installer } : { installer, bastion: { host: 'bastion.example.com', port: 2222 } },
  };
}

function identityOf(choice: PlatformChoices): Partial<Platform['spec']> {
  const secret = { env: 'OIDC_SECRET' };
  switch (choice.identity) {
    case 'none':
      return {};
    case 'dex':
      return { authentication: { dex: { passwordDB: true } } };
    case 'ldap':
      return {
        authentication: {
          dex: { connectors: [{ type: 'ldap', name: 'Corporate', endpoint: 'ldap.example.com:636' }] },
        },
      };
    case 'github':
      return { authentication: { dex: { connectors: [{ type: 'github', name: 'GitHub', organization: 'example' }] } } };
    case 'external':
      return {
        authentication: {
          external: { issuer: 'https://sso.example.com:8443/realms/x', clientID: 'causeway', clientSecret: secret },
        },
      };
  }
}

function certificatesOf(choice: PlatformChoices): Partial<Platform['spec']> {
  if (choice.certificates === 'none') return {};
  if (choice.certificates === 'http01') return { certificates: { acmeHTTP01: {} } };
  return { certificates: { acmeDNS01: { provider: 'rfc2136', nameserver: '10.1.0.54:53' } } };
}
