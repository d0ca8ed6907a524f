// The allow-list as flows: to the internet, through a proxy, or to the private registry.
import { memoLast } from '../cache.ts';
import { groupOf, groups } from '../catalogue/index.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import type { Need, Needs } from './egress-needs.ts';
import { type EgressPath, egressPathsOf, listedPart } from './egress-paths.ts';
import { type Draft, type FlowList, isSame } from './flow-list.ts';
import { hopToProxy } from './proxies.ts';

export function addEgress(list: FlowList, ctx: PlanContext, needs: Needs): void {
  for (const path of egressPathsOf(ctx)) {
    if (path.proxies !== undefined) {
      // The way to the proxy is needed even where no entry names the place.
      hopToProxy(list, path.place, path.proxies.secure, path.members);
      hopToProxy(list, path.place, path.proxies.plain, path.members);
    }
    for (const draft of draftsOf(ctx, path, needs.get(path.place) ?? nothing)) list.add(draft);
  }
}

const nothing: readonly Need[] = [];

/** A path lives as long as nothing about its clusters changes, and a list of needs as long as the allow-list. */
const lastDrafts = memoLast<EgressPath, readonly Draft[]>();

const draftsOf = (ctx: PlanContext, path: EgressPath, needs: readonly Need[]): readonly Draft[] =>
  lastDrafts(ctx.cache, path, [needs], () => {
    const drafts = needs.flatMap((need) => {
      const part = listedPart(ctx, path, need);
      return part === undefined ? [] : flowsFor(part, need);
    });
    return withoutCovered(path, drafts);
  });

/** Through a proxy most needs become the same flow; once the whole path has it, its parts add nothing. */
function withoutCovered(path: EgressPath, drafts: readonly Draft[]): Draft[] {
  const whole: Draft[] = [];
  for (const draft of drafts)
    if (draft.members === path.members && !whole.some((other) => isSame(other, draft))) whole.push(draft);
  return drafts.filter((draft) => whole.includes(draft) || !whole.some((other) => isSame(other, draft)));
}

function flowsFor({ place, proxies, members }: EgressPath, { requirement, ports, hosts }: Need): Draft[] {
  if (groupOf(requirement) === groups.offline) {
    const reason = 'Images, binaries and packages come from the private registry and its mirrors.';
    return [{ from: place, to: id.registry, ports, reason, requirement, members }];
  }
  const to = id.internet;
  if (proxies === undefined)
    return [{ from: place, to, ports, reason: `Allow-list: ${shown(hosts)}.`, requirement, members }];
  const permitted = { to, reason: 'The proxy permits what is on the allow-list.', requirement: 'PRX-3', members };
  return [
    { ...permitted, from: proxies.plain.id, ports: ports.filter((port) => port === 80) },
    { ...permitted, from: proxies.secure.id, ports: ports.filter((port) => port !== 80) },
  ].filter((draft) => draft.ports.length > 0);
}

const enough = 3;
const shown = (hosts: readonly string[]): string =>
  hosts.length <= enough ? hosts.join(', ') : `${hosts.slice(0, enough).join(', ')} and ${hosts.length - enough} more`;
