// Families and sizes of the networks inside a cluster, and who may connect to it.
import { type Cidr, overlaps, parseCidr } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import { nearestSpot, spotOf } from './provenance.ts';
import { finding, nameOf, none, type WorkerRule, type WorkerScope } from './rule.ts';

const wanted = { IPv4: [4], 'IPv4+IPv6': [4, 6] } as const;
const nodeMask = { 4: 24, 6: 64 } as const;
/** kube-apiserver keeps a bit per service address. */
const serviceHostBits = 20;

export const familyRule: WorkerRule = (scope) => [
  ...listFindings(scope, 'pods'),
  ...listFindings(scope, 'services'),
  ...nodeFindings(scope),
];

function listFindings(scope: WorkerScope, list: 'pods' | 'services'): readonly Finding[] {
  const { ipFamily } = scope.effective;
  const networks = scope.effective[list].map((text) => ({ text, ...parseCidr(text) }));
  const families = networks.map((network) => network.family);
  const noun = list === 'pods' ? 'pod' : 'service';
  if (families.join() !== wanted[ipFamily].join())
    return [
      finding('CW-IP-FAMILY', {
        ...nearestSpot(scope, [`network.${list}`, 'network.ipFamily']),
        message: `ipFamily is ${ipFamily}, but the ${noun} networks are ${scope.effective[list].join(', ')}`,
        fix:
          ipFamily === 'IPv4'
            ? `keep one IPv4 network in network.${list}, or set network.ipFamily to IPv4+IPv6`
            : `list one IPv4 and one IPv6 network in network.${list}, IPv4 first`,
      }),
    ];
  return networks.flatMap((network, i) => sizeFindings(scope, list, network, i));
}

function sizeFindings(scope: WorkerScope, list: 'pods' | 'services', network: Cidr & { text: string }, i: number) {
  const { resource, path } = spotOf(scope, `network.${list}`);
  const spot = { resource, path: [...path, i] };
  const mask = nodeMask[network.family];
  if (list === 'pods' && network.prefix > mask)
    return [
      finding('CW-IP-FAMILY', {
        ...spot,
        message: `pod network ${network.text} is smaller than the /${mask} that each node gets`,
        fix: `use a network of /${network.family === 4 ? 16 : 48}, or at least /${mask}`,
      }),
    ];
  const shortest = (network.family === 4 ? 32 : 128) - serviceHostBits;
  if (list === 'services' && network.prefix < shortest)
    return [
      finding('CW-IP-FAMILY', {
        ...spot,
        message: `service network ${network.text} is larger than kube-apiserver accepts`,
        fix: `use /${shortest} or longer, for example ${network.text.split('/')[0]}/${network.family === 4 ? 20 : 108}`,
      }),
    ];
  return none;
}

function nodeFindings(scope: WorkerScope): readonly Finding[] {
  const { networks } = scope.datacenter.spec.nodes;
  if (scope.effective.ipFamily === 'IPv4' || networks.some((text) => text.includes(':'))) return none;
  return [
    finding('CW-IP-FAMILY', {
      ...spotOf(scope, 'network.ipFamily'),
      message: `ipFamily is IPv4+IPv6, but the nodes have IPv4 only (${networks.join(', ')})`,
      fix: `add an IPv6 network to spec.nodes.networks of ${nameOf(scope.datacenter)}, or set network.ipFamily to IPv4`,
      related: nameOf(scope.datacenter),
    }),
  ];
}

/** The gateway always lets workers, master and seed in; users have to be listed. */
export const sourceRangesRule: WorkerRule = (scope) => {
  const { allowedSourceRanges } = scope.effective;
  if (allowedSourceRanges === undefined) return none;
  const { networks } = scope.platform.spec.users;
  const allowed = allowedSourceRanges.map(parseCidr);
  if (networks.some((text) => allowed.some((range) => overlaps(range, parseCidr(text))))) return none;
  return [
    finding('CW-SOURCE-RANGES', {
      ...spotOf(scope, 'limits.allowedSourceRanges'),
      message: `allowedSourceRanges (${allowedSourceRanges.join(', ') || 'empty'}) holds none of the networks of the users`,
      fix: `add ${networks.join(', ')}`,
      related: nameOf(scope.platform),
    }),
  ];
};
