// The answers about load balancing, per seed and datacenter.
import type { Datacenter, Model, Seed } from '../../model/schema/index.ts';
import type { Answers } from './answers.ts';
import type { LoadBalancer } from './index.ts';

const nameOf = ({ kind, metadata }: Seed | Datacenter): string => `${kind.toLowerCase()} ${metadata.name}`;

export function loadBalancerAnswers(documents: Omit<Model, 'platform' | 'clusters'>): Answers {
  const places = [...documents.seeds, ...documents.datacenters];
  const each = (answer: (lb: LoadBalancer) => string | undefined): (string | undefined)[] =>
    places.map((place) => {
      const lb = place.spec.loadBalancer;
      const text = lb === undefined ? undefined : answer(lb);
      return text === undefined ? undefined : `${nameOf(place)}: ${text}`;
    });
  const type = each((lb) => [lb.type, lb.announcer && `over ${lb.announcer}`].filter(Boolean).join(' '));
  return {
    'INF-8': type,
    'LB-3': type,
    'NET-2': type,
    'LB-4': each((lb) => lb.kubelb?.hub),
    'LB-5': each((lb) => lb.kubelb && owned(lb.kubelb)),
    'LB-6': each((lb) => `${lb.type}${lb.loadBalancerClass ? `, class ${lb.loadBalancerClass}` : ''}`),
    'L2-1': each((lb) => lb.segment),
    'BGP-1': each((lb) => lb.mode),
    'BGP-2': each((lb) => lb.bgp && peers(lb.bgp)),
    'BGP-3': documents.pools.map((pool) => `pool ${pool.metadata.name}: ${pool.spec.ranges.join(' ')}`),
    'KON-5': each((lb) => lb.idleTimeout && `idle timeout ${lb.idleTimeout}`),
  };
}

const owned = ({ dns, certificates, ingress }: NonNullable<LoadBalancer['kubelb']>): string | undefined => {
  const parts = [dns && 'DNS', certificates && 'certificates', ingress && 'ingress'].filter(Boolean);
  return parts.length === 0 ? undefined : `owns ${parts.join(', ')}`;
};

const peers = (bgp: NonNullable<LoadBalancer['bgp']>): string =>
  `AS ${bgp.asn} to ${bgp.peers.map((peer) => `${peer.address} (AS ${peer.asn})`).join(', ')}`;
