// From the gateway to control planes that do not run in the seed. Its pods leave with the addresses of the nodes.
import type { PlanContext } from '../context.ts';
import { controlPlanePorts, externalControlPlanes } from '../places/control-planes.ts';
import * as id from '../places/ids.ts';
import type { FlowList } from './flow-list.ts';

/** Row of the catalogue that asks for it. */
export const externalRow = 'XPS-1';

export function addControlPlanes(list: FlowList, ctx: PlanContext): void {
  for (const c of externalControlPlanes(ctx))
    list.add({
      from: id.seedPlace(c.seed.metadata.name, 'nodes'),
      to: id.clusterPlace(c.name, 'control-plane'),
      ports: controlPlanePorts(c),
      reason: 'The gateway passes connections on to the API server and the konnectivity server, which run elsewhere.',
      requirement: externalRow,
      members: [c.name],
    });
}
