// Where the addresses of ingress and gateways come from: one source, not two.
import type { Finding } from '../../model/index.ts';
import type { Platform, Seed } from '../../model/schema/index.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

type Source = Seed['spec']['gateway']['address'];
const sources = ['ips', 'hostname', 'pool'] as const;

function contradiction(document: Platform | Seed, block: string, source: Source): readonly Finding[] {
  const set = sources.filter((key) => source[key] !== undefined);
  if (set.length <= 1) return none;
  return [
    finding('CW-ADDRESS-SOURCE', {
      resource: nameOf(document),
      path: ['spec', block, 'address'],
      message: `${set.join(' and ')} are set together, but the ${block} has one source of addresses`,
      fix: `keep one of ${set.join(', ')}: ips for addresses that are fixed, hostname for the name that a cloud gave, pool to draw one`,
    }),
  ];
}

/** LB-1, LB-2, DNS-1. */
export const addressSourceRule: PlanRule = ({ model: { platform, seeds } }) => [
  ...contradiction(platform, 'ingress', platform.spec.ingress.address),
  ...seeds.flatMap((seed) => contradiction(seed, 'gateway', seed.spec.gateway.address)),
];
