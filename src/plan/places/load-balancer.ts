// Routers that virtual IPs are announced to, and the KubeLB hub: the same for a seed and for a datacenter.
import type { Seed } from '../../model/schema/index.ts';
import type { Place } from '../schema/index.ts';
import { placeOf } from './place.ts';

export type LoadBalancer = Seed['spec']['loadBalancer'];

/** Whether this environment has routers to speak BGP with. */
export const speaksBgp = (balancer: LoadBalancer): boolean => balancer?.mode === 'BGP' && balancer.bgp !== undefined;
export const usesKubelb = (balancer: LoadBalancer): boolean =>
  balancer?.type === 'kubelb' && balancer.kubelb !== undefined;

export function loadBalancerPlaces(
  owner: string,
  balancer: LoadBalancer,
  ids: { readonly routers: string; readonly kubelb: string },
): Place[] {
  const peers = speaksBgp(balancer) ? (balancer?.bgp?.peers ?? []) : [];
  const hub = usesKubelb(balancer) ? balancer?.kubelb : undefined;
  return [
    ...(peers.length === 0
      ? []
      : [placeOf(ids.routers, `Routers of ${owner}`, { networks: peers.map((peer) => peer.address) })]),
    ...(hub === undefined
      ? []
      : [placeOf(ids.kubelb, `KubeLB hub of ${owner}`, { networks: hub.networks ?? [], hosts: [hub.hub] })]),
  ];
}
