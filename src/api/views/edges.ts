// Hops as the API shows them: with the flows of the plan that allow them.
import { portRanges } from '../../core/port-ranges.ts';
import type { Model } from '../../model/schema/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import type { Hop } from '../../platform/view.ts';
import type { HopRow } from '../schema/hops.ts';
import { flowRowOf, openedBy } from './network.ts';

interface Planned {
  readonly plan: Plan | undefined;
  readonly model: Model | undefined;
}

export const hopRowOf = ({ plan, model }: Planned, hop: Hop): HopRow => ({
  ...hop,
  ports: portRanges(hop.ports),
  flows: plan === undefined ? [] : hop.flows.map((flow) => ({ ...flowRowOf(plan, flow), ...openedBy(model) })),
});
