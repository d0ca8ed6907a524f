// Flows and places of a model, and ways to ask for single ones.
import { noAllocations } from '../../model/index.ts';
import type { Model } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import type { PlanCache } from '../cache.ts';
import { planEgress } from '../egress/index.ts';
import { planFlows } from '../flows/index.ts';
import { planPlaces } from '../places/index.ts';
import { kubernetesRuntime } from '../runtime.ts';
import type { Flow, Place } from '../schema/index.ts';

export function flowsOf(model: Model, cache?: PlanCache): Flow[] {
  const ctx = buildContext(model, noAllocations, kubernetesRuntime, cache);
  return planFlows(ctx, planEgress(ctx).demands);
}

export const placesOf = (model: Model): Record<string, Place> => planPlaces(buildContext(model, noAllocations));

/** `from → to protocol ports`, the way a firewall team would read it. */
export const line = ({ from, to, protocol, ports }: Flow): string =>
  `${from} → ${to} ${protocol} ${ports.join(',')}`.trim();

/** Lines of one row of the catalogue. */
export const linesFor = (flows: readonly Flow[], row: string): string[] =>
  flows.filter((flow) => flow.requirement === row).map(line);

/** What makes two flows the same flow. */
export const keyOf = (flow: Flow): string => `${flow.requirement} ${line(flow)}`;
