// What each expose strategy means, in words.
import type { ClusterRow } from '../api/types.ts';

export type Strategy = ClusterRow['strategy'];

export const strategyWords: Readonly<Record<Strategy, string>> = {
  Tunneling: 'Shares the ports of the gateway, which tells clusters apart by name. Pods use an agent on their node.',
  NodePort: 'Has two ports of its own on the seed, for the API server and for konnectivity.',
  LoadBalancer: 'Has an address of its own, drawn from a pool or given by a cloud.',
};
