// What the runtime and the gateways say of themselves, as verdicts.
import { type Verdict, verdictFalse, verdictTrue } from '../reconcile/index.ts';
import type { Health } from '../runtime/platform-runtime.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';

export const verdictOnHealth = ({ healthy, why, fix }: Health, starting: string): Verdict => {
  if (healthy) return verdictTrue('Healthy', why);
  return why === undefined ? verdictFalse('Starting', starting, fix) : verdictFalse('NotHealthy', why, fix);
};

/** Of the gateway of a seed, or of what it does for one cluster. */
export function verdictOnGateway(gateway: SeedGateway | undefined, cluster?: string): Verdict {
  const problem = (cluster === undefined ? undefined : gateway?.clusterProblems.get(cluster)) ?? gateway?.problem;
  if (problem !== undefined)
    return verdictFalse(gateway?.isStarting ? 'Starting' : 'NotServing', problem.why, problem.fix);
  return gateway?.healthy === true ? verdictTrue('Serving') : verdictFalse('Starting', 'the gateway is not there');
}
