// What the gateway of a seed says of itself, as a verdict.
import { type Verdict, verdictFalse, verdictTrue } from '../reconcile/index.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';

/** Of the gateway of a seed, or of what it does for one cluster. */
export function verdictOnGateway(gateway: SeedGateway | undefined, cluster?: string): Verdict {
  const problem = (cluster === undefined ? undefined : gateway?.clusterProblems.get(cluster)) ?? gateway?.problem;
  if (problem !== undefined) return { ...problem, reason: gateway?.isStarting ? 'Starting' : 'NotServing' };
  return gateway?.healthy === true ? verdictTrue('Serving') : verdictFalse('Starting', 'the gateway is not there');
}
