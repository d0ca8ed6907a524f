// Interfaces of the providers: from the seed, which makes the machines, and from the workers, which attach volumes.
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import { type ProviderApi, providerApiOf } from '../places/provider-api.ts';
import { type DatacenterUse, usesOf, type WorkerGroup } from '../places/uses.ts';
import type { Effective } from '../settings/effective.ts';
import { seedSettings } from '../settings/index.ts';
import type { Draft, FlowList } from './flow-list.ts';
import { egressProxiesOf, hopToProxy } from './proxies.ts';

export function addProviders(list: FlowList, ctx: PlanContext): void {
  for (const use of usesOf(ctx).datacenters) {
    const api = providerApiOf(ctx, use.datacenter);
    if (api === undefined || use.groups.length === 0) continue;
    addFromSeed(list, ctx, use, api);
    for (const group of use.groups) addFromWorkers(list, ctx, group, api);
  }
}

function addFromSeed(
  list: FlowList,
  ctx: PlanContext,
  { datacenter, seed, members }: DatacenterUse,
  api: ProviderApi,
): void {
  const option = datacenter.spec.integration === 'I' ? ' Option I asks for it too (INT-3).' : '';
  addCall(list, ctx, api, seedSettings(ctx, seed).effective, {
    from: id.seedPlace(seed.metadata.name, 'nodes'),
    to: id.datacenterPlace(datacenter.metadata.name, 'provider-api'),
    ports: api.ports,
    reason: `The seed controller manager makes machines and networks.${option}`,
    requirement: 'PRT-7',
    members,
  });
}

function addFromWorkers(
  list: FlowList,
  ctx: PlanContext,
  { datacenter, place, effective, members }: WorkerGroup,
  api: ProviderApi,
): void {
  if (api.workersRow === undefined) return;
  addCall(list, ctx, api, effective, {
    from: place,
    to: id.datacenterPlace(datacenter.metadata.name, 'provider-api'),
    ports: api.ports,
    reason: 'Storage and load-balancer controllers on the workers call the provider.',
    requirement: api.workersRow,
    members,
  });
}

/** A public interface lies behind the corporate proxy like everything else in the internet; a private one does not. */
export function addCall(list: FlowList, ctx: PlanContext, api: ProviderApi, caller: Effective, draft: Draft): void {
  const proxies = api.isPublic ? egressProxiesOf(ctx.cache, caller) : undefined;
  if (proxies !== undefined) hopToProxy(list, draft.from, proxies.secure, draft.members);
  list.add({ ...draft, from: proxies?.secure.id ?? draft.from });
}
