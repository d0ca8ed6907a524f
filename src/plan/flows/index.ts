// Who talks to whom, on which port, why, and for which clusters. Each flow names its row of the catalogue.
import type { PlanContext } from '../context.ts';
import type { Egress, Flow } from '../schema/index.ts';
import { addAccess } from './access.ts';
import { addEgress } from './egress.ts';
import { addExposing } from './exposing.ts';
import { flowList } from './flow-list.ts';
import { addIdentity } from './identity.ts';
import { addMesh } from './mesh.ts';
import { addNames } from './names.ts';
import { addProviders } from './providers.ts';
import { addSurroundings } from './surroundings.ts';

/** The port table first, then what the clusters themselves need, then what is around them. */
export function planFlows(ctx: PlanContext, egress: Egress): Flow[] {
  const list = flowList();
  addExposing(list, ctx);
  addProviders(list, ctx);
  addMesh(list, ctx);
  addNames(list, ctx);
  addIdentity(list, ctx);
  addSurroundings(list, ctx);
  addEgress(list, ctx, egress);
  addAccess(list, ctx);
  return [...list.flows];
}
