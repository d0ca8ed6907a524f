// Who talks to whom, on which port, why, and for which clusters. Each flow names its row of the catalogue.
import type { Platform } from '../../model/schema/index.ts';
import { memoLast } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import type { Demand } from '../egress/entries.ts';
import { externalControlPlanes } from '../places/control-planes.ts';
import { usesOf } from '../places/uses.ts';
import type { Flow } from '../schema/index.ts';
import { addAccess } from './access.ts';
import { addControlPlanes } from './control-planes.ts';
import { addEgress } from './egress.ts';
import { type Needs, needsByPlace } from './egress-needs.ts';
import { addExposing } from './exposing.ts';
import { flowList } from './flow-list.ts';
import { addIdentity } from './identity.ts';
import { addInfrastructure } from './infrastructure.ts';
import { addMesh } from './mesh.ts';
import { addNames } from './names.ts';
import { addProviders } from './providers.ts';

const lastFlows = memoLast<Platform, Flow[]>();

export function planFlows(ctx: PlanContext, demands: readonly Demand[]): Flow[] {
  const { platform } = ctx.model;
  const needs = needsByPlace(ctx, demands);
  const { seeds, datacenters } = usesOf(ctx);
  return lastFlows(ctx.cache, platform, [needs, ...seeds, ...datacenters, ...externalControlPlanes(ctx)], () =>
    compute(ctx, needs),
  );
}

/** The port table first, then what the clusters themselves need, then the infrastructure of seeds and datacenters. */
function compute(ctx: PlanContext, needs: Needs): Flow[] {
  const list = flowList(ctx.cache);
  addExposing(list, ctx);
  addControlPlanes(list, ctx);
  addProviders(list, ctx);
  addMesh(list, ctx);
  addNames(list, ctx);
  addIdentity(list, ctx);
  addInfrastructure(list, ctx);
  addEgress(list, ctx, needs);
  addAccess(list, ctx);
  return list.finish();
}
