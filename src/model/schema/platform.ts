import { z } from 'zod';
import { addressSource, apiEndpoint, managementNodes, oneOf, secretRef } from './blocks.ts';
import { certificates } from './certificates.ts';
import { inherited } from './inherited.ts';
import * as s from './scalars.ts';

const dns = z.strictObject({
  servers: z.array(s.address).optional().describe('Resolvers that the platform and its nodes ask.'),
  authoritative: z.array(s.hostOrAddress).optional().describe('Authoritative servers of the zone.'),
  wildcards: z.boolean().optional().describe('Wildcard records are possible. Default true.'),
  provider: s.text.optional().describe('DNS provider, as external-dns names it.'),
  externalDNS: z.boolean().optional().describe('external-dns writes the records.'),
  ownerID: s.text.optional().describe('txt-owner-id of external-dns.'),
  update: secretRef.optional().describe('TSIG key or API credential that may change the zone.'),
  tsigKeyName: s.text.optional().describe('Name of the TSIG key of update, where the zone is changed by RFC 2136.'),
  tsigAlgorithm: z
    .enum(['hmac-sha256', 'hmac-sha384', 'hmac-sha512', 'hmac-sha224', 'hmac-sha1', 'hmac-md5'])
    .optional()
    .describe('Algorithm of that key. Default hmac-sha256.'),
  existing: z
    .array(s.text)
    .optional()
    .describe('Names below the domain that exist already and are not ours; they can hide a wildcard.'),
  ttl: z.int().min(1).max(604800).optional().describe('TTL of the records in seconds. Default 300.'),
});

const connectorTypes = [
  'ldap',
  'oidc',
  'saml',
  'github',
  'gitlab',
  'google',
  'microsoft',
  'keystone',
  'bitbucket-cloud',
  'openshift',
  'atlassian-crowd',
  'gitea',
  'oauth',
  'authproxy',
] as const;
const connector = z.strictObject({
  type: z.enum(connectorTypes).describe('Connector of Dex.'),
  name: s.text.describe('Name shown to users.'),
  endpoint: s.endpoint.optional().describe('Host and port of the source, where Dex must reach it.'),
  organization: s.text.optional().describe('GitHub organisation or GitLab group.'),
  baseDN: s.text.optional().describe('Where the search for users begins (ldap).'),
  clientID: s.text.optional().describe('Client id at the source (oidc and others that use OAuth).'),
  metadata: s.webUrl.optional().describe('Metadata of the source: SAML metadata, or the issuer of OIDC.'),
  credentials: secretRef.optional().describe('Bind or client credentials.'),
});

const authentication = oneOf(
  {
    dex: z
      .strictObject({
        issuer: s.webUrl
          .optional()
          .describe('Issuer URL. Default https://<domain>/dex, with the port of the ingress where it is not 443.'),
        connectors: z.array(connector).optional().describe('Sources of identities.'),
        staticUsers: z
          .array(
            z.strictObject({
              email: s.text.describe('Address the user signs in with.'),
              hash: secretRef.describe('bcrypt hash.'),
            }),
          )
          .optional()
          .describe('Users without a source of identities.'),
        passwordDB: z.boolean().optional().describe('Password database of Dex; static users need it.'),
      })
      .optional()
      .describe('Dex brokers identities.'),
    external: z
      .strictObject({
        issuer: s.webUrl.describe('Issuer URL.'),
        clientID: s.text.describe('Client id.'),
        clientSecret: secretRef.describe('Client secret.'),
      })
      .optional()
      .describe('An own provider, as Keycloak.'),
  },
  ['dex', 'external'],
  'authentication',
);

const configRepository = z.strictObject({
  url: s.gitUrl.describe('Git repository of the configuration.'),
  engineers: secretRef.optional().describe('Access of the engineers.'),
  customer: secretRef.optional().describe('Access of the customer.'),
  keyStore: oneOf(
    {
      vault: z
        .strictObject({
          address: s.webUrl.describe('Vault server.'),
          role: s.text.optional().describe('Role to sign in with.'),
          path: s.text.optional().describe('Path of the secrets.'),
        })
        .optional()
        .describe('Vault.'),
      gitCrypt: z.boolean().optional().describe('Secrets are encrypted in git with git-crypt.'),
      other: s.text.optional().describe('Another key store.'),
    },
    ['vault', 'gitCrypt', 'other'],
    'the key store',
  )
    .optional()
    .describe('Where secrets are kept.'),
});

const sshHost = {
  host: s.hostOrAddress.describe('Name or address.'),
  port: s.port.optional().describe('SSH port. Default 22.'),
  user: s.text.optional().describe('User.'),
  key: secretRef.optional().describe('Private key.'),
  hostKey: s.text.optional().describe('Fingerprint of the host key.'),
};

const access = z.strictObject({
  installer: z
    .strictObject({
      ...sshHost,
      networks: z.array(s.cidr).optional().describe('Networks the installer connects from.'),
      toolContainer: s.text.optional().describe('Image with all helper tools.'),
    })
    .optional()
    .describe('Host that provisioning runs on.'),
  bastion: z
    .strictObject({
      ...sshHost,
      networks: z.array(s.cidr).optional().describe('Networks the bastion connects from.'),
    })
    .optional()
    .describe('Host that SSH goes through.'),
  firewallExport: s.text.optional().describe('Export of the rules in force, to compare with.'),
  contact: s.text.optional().describe('Who changes DNS and firewall.'),
});

const decision = z.strictObject({
  row: s.rowId.describe('Catalogue row.'),
  choice: s.text.describe('What was decided.'),
  owner: s.text.describe('Who decided.'),
  reason: s.text.describe('Why.'),
});

const waiver = z.strictObject({
  code: z
    .string()
    .regex(/^CW-[A-Z0-9-]+$/, 'a finding code looks like CW-CIDR-OVERLAP')
    .describe('Finding that is waived.'),
  resource: s.text.optional().describe('Only for this resource, as in Cluster/web.'),
  owner: s.text.describe('Who answers for it.'),
  reason: s.text.describe('Why it is acceptable.'),
  expires: s.date.describe('Last day of the waiver.'),
});

export const platformSpec = z.strictObject({
  domain: s.host.describe('Domain of the platform; every name is below it.'),
  release: z
    .string()
    .regex(/^\d+\.\d+(\.\d+)?$/, 'a release looks like 2.31')
    .optional()
    .describe('KKP release that is installed.'),
  edition: z.enum(['CE', 'EE']).optional().describe('Edition. CE has one seed. Default CE.'),
  pullSecret: secretRef.optional().describe('Image pull secret (EE).'),
  telemetry: z.boolean().optional().describe('Telemetry is sent. Default false.'),
  managementComponents: z
    .array(z.enum(['flux', 'monitoring', 'alerting', 'app-platform', 'cluster-api']))
    .optional()
    .describe(
      'Components of the management clusters that call services outside. Default all; name those in use for a shorter allow-list.',
    ),
  ...inherited,
  users: z
    .strictObject({ networks: z.array(s.cidr).min(1).describe('Networks of the users.') })
    .describe('Where users come from.'),
  corporateNetworks: z.array(s.cidr).optional().describe('Networks of the company that clusters must not hide.'),
  master: z
    .strictObject({
      nodes: managementNodes.describe('Nodes of the master cluster.'),
      api: apiEndpoint.describe('Kubernetes API of the master cluster.'),
      kubeconfig: secretRef
        .optional()
        .describe('Kubeconfig that installation and checks use; static, no exec plugins.'),
      seed: s.name.optional().describe('Seed that is the same cluster as the master.'),
    })
    .describe('Cluster that runs operator, API and dashboard.'),
  ingress: z
    .strictObject({
      address: addressSource.describe('Address of the ingress controller.'),
      httpsPort: s.port.optional().describe('Default 443.'),
      httpPort: s.port.optional().describe('Default 80; used by ACME HTTP-01.'),
    })
    .describe('Entry to dashboard, API, Dex and monitoring.'),
  monitoring: z
    .strictObject({
      services: z
        .array(z.enum(['grafana', 'prometheus', 'alertmanager', 'kibana']))
        .describe('Management services that get a name. Default grafana, prometheus, alertmanager.'),
    })
    .optional()
    .describe('Monitoring of the platform.'),
  dns: dns.optional().describe('DNS.'),
  certificates: certificates.optional().describe('Certificate of the platform.'),
  authentication: authentication.optional().describe('Who users are.'),
  configRepository: configRepository.optional().describe('Where this configuration is kept.'),
  access: access.optional().describe('How engineers get in.'),
  decisions: z.array(decision).optional().describe('Decisions on catalogue rows.'),
  waivers: z.array(waiver).optional().describe('Findings that are accepted for a time.'),
});
