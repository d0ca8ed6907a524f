// The allow-list as flows: to the internet, through a proxy, or to the private registry.
import { memoLast } from '../cache.ts';
import { groupOf, groups } from '../catalogue/index.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import type { Need, Needs } from './egress-needs.ts';
import { type Draft, type FlowList, isSame } from './flow-list.ts';
import { type Lane, lanesOf, listedPart } from './lanes.ts';
import { hopToProxy } from './proxies.ts';

export function addEgress(list: FlowList, ctx: PlanContext, needs: Needs): void {
  for (const lane of lanesOf(ctx)) {
    if (lane.proxies !== undefined) {
      // The way to the proxy is needed even where no entry names the place.
      hopToProxy(list, lane.place, lane.proxies.secure, lane.members);
      hopToProxy(list, lane.place, lane.proxies.plain, lane.members);
    }
    for (const draft of draftsOf(ctx, lane, needs.get(lane.place) ?? nothing)) list.add(draft);
  }
}

const nothing: readonly Need[] = [];

/** A lane lives as long as nothing about its clusters changes, and a list of needs as long as the allow-list. */
const lastDrafts = memoLast<Lane, readonly Draft[]>();

const draftsOf = (ctx: PlanContext, lane: Lane, needs: readonly Need[]): readonly Draft[] =>
  lastDrafts(ctx.cache, lane, [needs], () => {
    const drafts = needs.flatMap((need) => {
      const part = listedPart(ctx, lane, need);
      return part === undefined ? [] : flowsFor(part, need);
    });
    return withoutCovered(lane, drafts);
  });

/** Through a proxy most needs become the same flow; once the whole lane has it, its parts add nothing. */
function withoutCovered(lane: Lane, drafts: readonly Draft[]): Draft[] {
  const whole: Draft[] = [];
  for (const draft of drafts)
    if (draft.members === lane.members && !whole.some((other) => isSame(other, draft))) whole.push(draft);
  return drafts.filter((draft) => whole.includes(draft) || !whole.some((other) => isSame(other, draft)));
}

function flowsFor({ place, proxies, members }: Lane, { requirement, ports, hosts }: Need): Draft[] {
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
