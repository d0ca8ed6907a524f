// Routers as MetalLB and Cilium name them.
import { durationMs } from '../../core/duration.ts';
import type { LoadBalancer } from '../../plan/installation/index.ts';
import { secretOf } from '../certificates/secrets.ts';

export type Bgp = NonNullable<LoadBalancer['bgp']>;
export type Peer = Bgp['peers'][number];

/** Name of a router as a Kubernetes name; its address, so that adding one renames no other. */
export const peerName = ({ address }: Peer): string => `peer-${address.replace(/[^0-9a-z]/gi, '-').replace(/-+$/, '')}`;

export const defaultHoldTime = '90s';

/** Whole seconds of a duration such as 1m30s, which is what BGP counts in. */
export const secondsOf = (duration: string): number => Math.round((durationMs(duration) ?? 0) / 1000);

export interface PeerPassword {
  readonly secret: string;
  readonly note: string;
}

export function passwordOf(peer: Peer): PeerPassword | undefined {
  if (peer.password === undefined) return undefined;
  const { name, note } = secretOf(peer.password, `bgp-${peerName(peer)}`, 'password');
  return { secret: name, note };
}
