// The conditions of the whole platform. Ready is told to whoever asks /readyz without a login: it has numbers and no names.
import type { Observed } from '../control-plane/index.ts';
import type { Plan } from '../plan/schema/index.ts';
import {
  isTrue,
  type ReconcileState,
  type UntimedCondition,
  type Verdict,
  verdictFalse,
  verdictTrue,
} from '../reconcile/index.ts';

export interface PlatformFacts {
  readonly plan: Plan | undefined;
  /** The manifests as they are now cannot be applied. */
  readonly broken: boolean;
  readonly clusters: readonly { readonly ready: boolean }[];
  readonly components: readonly Observed[];
  /** Of the plan, as far as it could be applied. */
  readonly reconciliation: ReconcileState;
}

/** Ready: every cluster, and the gateways, without which nobody reaches one that is made later. */
export function platformConditions(facts: PlatformFacts): UntimedCondition[] {
  const clusters = { type: 'ClustersReady', ...clustersReady(facts) };
  const gateways = { type: 'GatewaysReady', ...gatewaysReady(facts) };
  return [
    { type: 'Ready', ...readyOf(facts, clusters, gateways) },
    clusters,
    gateways,
    { type: 'ManifestsValid', ...manifestsValid(facts) },
    { type: 'Reconciled', ...reconciledVerdict(facts.reconciliation) },
  ];
}

function readyOf({ plan, components }: PlatformFacts, clusters: Verdict, gateways: Verdict): Verdict {
  if (plan === undefined) return noPlan;
  if (!isTrue(clusters)) return verdictFalse(clusters.reason, clusters.message);
  if (isTrue(gateways)) return verdictTrue('AllReady');
  const seeds = Object.keys(plan.gateway);
  const serving = seeds.filter((seed) => gatewayOf(components, seed)?.healthy === true).length;
  return verdictFalse(gateways.reason, `${serving} of ${seeds.length} gateways serve`);
}

const noPlan = verdictFalse('NoPlan', 'the manifests could not be read yet', 'causeway status tells what is wrong');

function clustersReady({ plan, clusters }: PlatformFacts): Verdict {
  if (plan === undefined) return noPlan;
  let ready = 0;
  for (const cluster of clusters) if (cluster.ready) ready++;
  if (ready === clusters.length) return verdictTrue('AllReady');
  return verdictFalse('ClustersNotReady', `${ready} of ${clusters.length} clusters are ready`);
}

function gatewaysReady({ plan, components }: PlatformFacts): Verdict {
  if (plan === undefined) return noPlan;
  for (const seed of Object.keys(plan.gateway)) {
    const gateway = gatewayOf(components, seed);
    if (gateway?.healthy !== true)
      return verdictFalse('GatewayNotReady', `gateway of ${seed}: ${gateway?.why ?? 'it is not there'}`, gateway?.next);
  }
  return verdictTrue('AllReady');
}

const gatewayOf = (components: readonly Observed[], seed: string): Observed | undefined =>
  components.find(({ scope, name }) => scope === 'platform' && name === `gateway-${seed}`);

const manifestsValid = ({ broken }: PlatformFacts): Verdict =>
  broken
    ? verdictFalse(
        'ManifestErrors',
        'the manifests have errors: what runs is an earlier state',
        'causeway status tells each of them with its fix',
      )
    : verdictTrue('Valid');

function reconciledVerdict({ done, failure }: ReconcileState): Verdict {
  if (failure !== undefined) return failure;
  return done ? verdictTrue() : verdictFalse('Reconciling', 'the newest manifests are being applied');
}
