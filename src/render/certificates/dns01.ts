// How cert-manager proves a name by DNS, per provider.
import type { CertificateSource, SecretRef } from '../../plan/installation/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { secretOf } from './secrets.ts';

type Dns01 = NonNullable<CertificateSource['acmeDNS01']>;

export interface Solved {
  readonly solver: object;
  readonly notes: readonly string[];
}

const secretName = 'causeway-dns01';

export function dns01Solver(plan: Plan, settings: Dns01): Solved {
  const make = providers[settings.provider.toLowerCase()] ?? webhook;
  const { config, notes } = make(settings, plan);
  return { solver: { dns01: config }, notes };
}

interface Made {
  readonly config: object;
  readonly notes: readonly string[];
}

const keyIn = (ref: SecretRef | undefined, key: string): { ref: object; note: string } => {
  const { name, key: found, note } = secretOf(ref, secretName, key);
  return { ref: { name, key: found }, note };
};

/** Two keys of one Secret; a reference that names a key means the secret half. */
function awsKeys(ref: SecretRef | undefined): Made {
  if (ref === undefined) return { config: { route53: {} }, notes: ['Uses the AWS identity of cert-manager itself.'] };
  const secret = keyIn(ref, 'secret-access-key');
  const { name } = secretOf(ref, secretName, 'access-key-id');
  return {
    config: {
      route53: { accessKeyIDSecretRef: { name, key: 'access-key-id' }, secretAccessKeySecretRef: secret.ref },
    },
    notes: [secret.note, `Secret ${name} also needs key access-key-id.`],
  };
}

function rfc2136({ nameserver, tsigKeyName, credentials }: Dns01, { installation }: Plan): Made {
  const known = installation.nameServers.find((server) => /^[\d.]+$/.test(server));
  const key = keyIn(credentials, 'tsig-secret-key');
  const signed = { tsigKeyName, tsigAlgorithm: 'HMACSHA256', tsigSecretSecretRef: key.ref };
  const missing = 'The server that takes updates is not known: set spec.certificates.acmeDNS01.nameserver.';
  return {
    config: {
      rfc2136: {
        nameserver: nameserver ?? (known === undefined ? '192.0.2.53:53' : `${known}:53`),
        ...(tsigKeyName === undefined ? {} : signed),
      },
    },
    notes: [
      ...(nameserver === undefined && known === undefined ? [missing] : []),
      ...(tsigKeyName === undefined ? ['Updates are not signed: set tsigKeyName.'] : [key.note]),
    ],
  };
}

function azureDns({ credentials }: Dns01, { platform, installation }: Plan): Made {
  const { azure } = installation.issuing;
  const key = keyIn(credentials, 'client-secret');
  const identity = { tenantID: azure?.tenantID, clientID: azure?.clientID, clientSecretSecretRef: key.ref };
  const unknown = 'Fill in subscription and resource group of the DNS zone: no datacenter says them.';
  return {
    config: {
      azureDNS: {
        subscriptionID: azure?.subscriptionID ?? 'FILL-IN',
        resourceGroupName: azure?.resourceGroup ?? 'FILL-IN',
        hostedZoneName: platform.domain,
        ...(credentials === undefined || azure === undefined ? {} : identity),
      },
    },
    notes: [
      azure === undefined ? unknown : 'Check that the resource group is the one of the DNS zone.',
      credentials === undefined ? 'Uses the Azure identity of cert-manager itself.' : key.note,
    ],
  };
}

const withToken =
  (provider: string, field: string, key: string) =>
  ({ credentials }: Dns01): Made => {
    const token = keyIn(credentials, key);
    return { config: { [provider]: { [field]: token.ref } }, notes: [token.note] };
  };

const webhook = ({ provider }: Dns01, { platform }: Plan): Made => ({
  config: { webhook: { groupName: `acme.${platform.domain}`, solverName: provider, config: {} } },
  notes: [
    `cert-manager has no built-in support for ${provider}: install its webhook, and take groupName, solverName and config from there.`,
  ],
});

/** By the provider's name in lower case. */
const providers: Readonly<Record<string, (settings: Dns01, plan: Plan) => Made>> = {
  rfc2136,
  route53: ({ credentials }) => awsKeys(credentials),
  azuredns: azureDns,
  cloudflare: withToken('cloudflare', 'apiTokenSecretRef', 'api-token'),
  digitalocean: withToken('digitalocean', 'tokenSecretRef', 'access-token'),
};
