// The shape of a snapshot: which fields there are and what may stand in them, each looked at alone.

import { createPublicKey, X509Certificate } from 'node:crypto';
import { durationMs } from '../../core/duration.ts';
import { isNodeName } from '../../core/names.ts';
import { type Algorithm, algorithmOf, isIp, readNetwork } from '../../net/index.ts';
import { hostPortProblem, nameProblem } from './hosts.ts';
import {
  anyObject,
  boolean,
  choice,
  list,
  object,
  optional,
  remembering,
  required,
  shown,
  text,
  texts,
  type Word,
  wholeNumber,
} from './validator.ts';

export const clusterNameProblem: Word = (name) =>
  name.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name)
    ? undefined
    : `${shown(name)} is not a name; use up to 63 lower-case letters, digits and inner hyphens`;

export const addressProblem: Word = (text) =>
  !isIp(text) || text.includes('%') ? `${shown(text)} is not an IP address` : undefined;

export const networkProblem = remembering((text) => {
  const network = readNetwork(text);
  return typeof network === 'string' ? network : undefined;
});

export const durationProblem = remembering((text) =>
  durationMs(text) === undefined
    ? `${shown(text)} is not a duration; write a number and a unit, as in 30s, 10m or 1h`
    : undefined,
);

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export function readPortRange(text: string): PortRange | undefined {
  const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first >= 1 && first <= last && last <= 65535 ? { first, last } : undefined;
}

export const portRangeProblem: Word = (text) =>
  readPortRange(text) === undefined ? `${shown(text)} is not a range of ports; write 30000-32767` : undefined;

export const shortText: Word = (text) =>
  text.length === 0 ? 'is empty' : text.length > 1024 ? 'has more than 1024 characters' : undefined;

const publicKeyOf =
  (kinds: Readonly<Partial<Record<Algorithm, string>>>): Word =>
  (pem) => {
    if (pem.length > 2048 || !pem.startsWith('-----BEGIN PUBLIC KEY-----'))
      return 'is not a public key in PEM; it starts with -----BEGIN PUBLIC KEY-----';
    try {
      const key = createPublicKey(pem);
      const algorithm = algorithmOf(key);
      if (algorithm !== undefined && kinds[algorithm] !== undefined) return undefined;
      return `is a key of type ${key.asymmetricKeyType}; tokens are signed with ${Object.values(kinds).join(' or ')}`;
    } catch {
      return 'is not a public key in PEM: its content cannot be read';
    }
  };

const seedKeyProblem = publicKeyOf({ EdDSA: 'ed25519' });
/** Their issuers sign with no other kind. */
const clusterKeyProblem = remembering(publicKeyOf({ ES256: 'ec P-256', RS256: 'rsa of 2048 bits or more' }));

const subjectProblem: Word = (text) =>
  text.length <= 1024 && /^system:serviceaccount:[^:]+:[^:]+$/.test(text)
    ? undefined
    : `${shown(text)} is not the name of a service account; write system:serviceaccount:NAMESPACE:NAME`;

const nodeNameProblem: Word = (name) =>
  isNodeName(name) ? undefined : `${shown(name)} is not the name of a node, as "kubectl get nodes" shows it`;

export const certificateProblem: Word = (pem) => {
  if (pem.length > 65_536 || !pem.startsWith('-----BEGIN CERTIFICATE-----'))
    return 'is not a certificate in PEM; it starts with -----BEGIN CERTIFICATE-----';
  if (pem.indexOf('-----BEGIN', 1) >= 0) return 'has more than one part; each entry is one certificate';
  try {
    return new X509Certificate(pem).ca ? undefined : 'is the certificate of no authority (CA:TRUE is missing)';
  } catch {
    return 'is not a certificate in PEM: its content cannot be read';
  }
};

/** 0 is a port that the system chooses. */
const port = wholeNumber(0, 65_535);
const count = wholeNumber(0, 1_000_000_000);

const route = object({
  sni: optional(text(nameProblem)),
  authority: optional(text(hostPortProblem)),
  nodePort: optional(port),
  addresses: optional(texts(addressProblem, 64)),
  port: optional(port),
  backends: required(texts(hostPortProblem, 256)),
});

/** As in tokens: seconds since 1970. */
const seconds = wholeNumber(0, 100_000_000_000);

const tokenAuthority = object({
  issuer: required(text(shortText)),
  audience: required(text(shortText)),
  subject: required(text(subjectProblem)),
  keys: required(list(object({ id: required(text(shortText)), publicKey: required(text(clusterKeyProblem)) }), 32)),
});
const evictedNode = object({ name: required(text(nodeNameProblem)), issuedBefore: optional(seconds) });

export const clusterShape = object({
  apiServer: required(route),
  konnectivity: required(route),
  allowedSourceRanges: optional(texts(networkProblem, 10_000)),
  maxConnections: optional(count),
  connectionsPerSecond: optional(count),
  idleTimeout: required(text(durationProblem)),
  halfClosedTimeout: optional(text(durationProblem)),
  backendProxyProtocol: optional(boolean),
  tokenAuthorities: optional(list(tokenAuthority, 8)),
  evictedNodes: optional(list(evictedNode, 10_000)),
  unboundTokensFrom: optional(seconds),
});

export const snapshotShape = object({
  version: required(text(shortText)),
  seed: required(text(shortText)),
  listeners: required(
    object({
      sni: optional(port),
      tunnel: optional(port),
      single: optional(port),
      nodePortRange: required(text(portRangeProblem)),
    }),
  ),
  tunnel: required(
    object({
      name: required(text(nameProblem)),
      authentication: required(choice('token', 'certificate', 'none')),
      certificate: optional(object({ certFile: required(text(shortText)), keyFile: required(text(shortText)) })),
      publicKeys: optional(texts(seedKeyProblem, 32)),
      clientAuthorities: optional(texts(certificateProblem, 32)),
    }),
  ),
  trustedBalancers: required(texts(networkProblem, 10_000)),
  // Looked at one by one, because most of them are known already.
  clusters: required(anyObject),
});
