import type { CodeInfo } from '../finding.ts';

/** How workers reach their control plane, and how anything reaches the internet. */
export const reachabilityCodes = {
  'CW-TUNNEL-PROXY': {
    severity: 'error',
    title: 'A stock Envoy agent cannot cross the corporate proxy',
    explanation:
      'Envoy dials the gateway directly and knows no HTTP proxy. The agent of Causeway does, also with authentication.',
    fix: 'Set workers.agent to causeway, or open a direct way to the gateway.',
    rows: ['XPS-4'],
  },
  'CW-AGENT-ENVOY': {
    severity: 'error',
    title: 'A stock Envoy agent does not fit the gateway',
    explanation:
      'Envoy agents speak cleartext HTTP/2 to the tunnel port and show no credential. The single port is TLS only, and a gateway that asks for a token or a certificate refuses them.',
    fix: 'Set workers.agent to causeway; or use the split ports and set gateway.tunnelAuthentication to none.',
    rows: ['PRT-8', 'XPS-5'],
  },
  'CW-PROXY-MISSING': {
    severity: 'error',
    title: 'A proxy is required, but none is configured',
    explanation: 'Egress mode proxy and worker route proxy both need to know the proxy for https targets.',
    fix: 'Set proxy.https, on the platform or nearer to where it holds.',
    rows: ['PRX-1', 'PRX-3'],
  },
  'CW-PROXY-PORT': {
    severity: 'error',
    title: 'The proxy does not allow the port of the gateway',
    explanation:
      'Most proxies allow CONNECT to 443 only. Workers that reach the gateway through the proxy then need the single port.',
    fix: 'Offer the single port at the gateway and set workers.entry to single, or have the proxy allow the ports.',
    rows: ['PRX-3', 'XPS-4'],
  },
  'CW-PODS-NO-WAY': {
    severity: 'error',
    title: 'Pods cannot reach the API server through the proxy',
    explanation:
      'Pods dial the address of the kubernetes service, which is exempt from every proxy and leads to the public endpoint of the cluster. Only the node agent of Tunneling can carry that connection through a proxy.',
    fix: 'Use Tunneling with the agent of Causeway, or open a direct way to the endpoint.',
    rows: ['XPS-4', 'API-3'],
  },
  'CW-NOPROXY': {
    severity: 'error',
    title: 'A noProxy entry is wrong',
    explanation:
      'An entry that exempts the gateway takes away the only way to it; an entry in a wrong form is ignored by some programs and obeyed by others.',
    fix: 'Write one name, .suffix, address or network per entry, without scheme and blanks, and leave the gateway out where the proxy is the only way.',
    rows: ['PRX-1', 'XPS-4'],
  },
  'CW-ENTRY-NOT-OFFERED': {
    severity: 'error',
    title: 'Workers use an entry that the gateway does not offer',
    explanation: 'A gateway offers the split ports, the single port, or both; workers of a cluster use one of them.',
    fix: 'Add the entry to gateway.offers of the seed, or change workers.entry.',
    rows: ['PRT-8', 'XPS-2'],
  },
  'CW-TUNNEL-CLEARTEXT': {
    severity: 'warning',
    title: 'The tunnel is open to everybody without need',
    explanation:
      'tunnelAuthentication none is cleartext without credentials, for stock Envoy agents. No cluster of this seed has such agents.',
    fix: 'Set gateway.tunnelAuthentication to token or certificate.',
    rows: ['XPS-5'],
  },
  'CW-GATEWAY-PORTS': {
    severity: 'error',
    title: 'Two listeners of the gateway share a port',
    explanation: 'Each listener that the gateway offers needs a port of its own.',
    fix: 'Choose different ports in gateway.ports.',
    rows: ['PRT-14', 'PRT-8'],
  },
  'CW-OFFLINE-REGISTRY': {
    severity: 'error',
    title: 'Offline mode without a complete private registry',
    explanation:
      'In offline mode every image comes from the private registry; without one, nodes look for the public ones and never start a pod.',
    fix: 'Set registry.host to the registry that holds the mirrored images.',
    rows: ['OFF-1', 'OFF-2', 'OFF-3', 'PRX-2'],
  },
  'CW-OFFLINE-MIRROR': {
    severity: 'warning',
    title: 'Offline mode without mirrors for binaries or packages',
    explanation:
      'Kubelet, CNI plugins and crictl are no images, and some operating systems install packages when a node starts.',
    fix: 'Set registry.binaries and registry.packages, or bake everything into the machine template and record that as a decision on OFF-4.',
    rows: ['OFF-4', 'EGR-1', 'EGR-10'],
  },
} as const satisfies Record<string, CodeInfo>;
