// The shape of a snapshot: which fields there are and what may stand in them, each looked at alone.
import { anyObject, boolean, choice, object, optional, required, text, texts, wholeNumber } from './checks.ts';
import { hostPortProblem, nameProblem } from './hosts.ts';
import {
  addressProblem,
  certificateProblem,
  durationProblem,
  networkProblem,
  portRangeProblem,
  publicKeyProblem,
  shortText,
} from './words.ts';

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

export const clusterShape = object({
  apiServer: required(route),
  konnectivity: required(route),
  allowedSourceRanges: optional(texts(networkProblem, 10_000)),
  maxConnections: optional(count),
  connectionsPerSecond: optional(count),
  idleTimeout: required(text(durationProblem)),
  backendProxyProtocol: optional(boolean),
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
      publicKeys: optional(texts(publicKeyProblem, 32)),
      clientAuthorities: optional(texts(certificateProblem, 32)),
    }),
  ),
  trustedBalancers: required(texts(networkProblem, 10_000)),
  // Looked at one by one, because most of them are known already.
  clusters: required(anyObject),
});
