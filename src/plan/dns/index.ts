// DNS records of the platform. Names are known at once; their targets when load balancers have addresses.
import { memo } from '../../core/memo.ts';
import { isWithin } from '../../core/names.ts';
import type { Seed } from '../../model/schema/index.ts';
import type { ClusterContext, PlanContext, Target } from '../context.ts';
import type { Dns, DnsRecord } from '../schema/index.ts';
import { zoneOf } from './encloser.ts';
import {
  baseNeed,
  clusterNeeds,
  monitoringNeeds,
  type NameNeed,
  seedWildcardNeed,
  serviceNeeds,
  tunnelNeed,
  wildcardNeed,
} from './needs.ts';

export { resolve, zoneOf } from './encloser.ts';
export { type NameNeed, nameNeeds, servicesOf, tunnelNeed } from './needs.ts';

const defaultTtl = 300;
const ttlOf = (platform: PlanContext['model']['platform']): number => platform.spec.dns?.ttl ?? defaultTtl;

export function planDns(ctx: PlanContext): Dns {
  const wildcards = ctx.model.platform.spec.dns?.wildcards !== false;
  const records = wildcards ? withWildcards(ctx) : withoutWildcards(ctx);
  return { zone: ctx.domain, records: firstOfEachName(records) };
}

function withoutWildcards(ctx: PlanContext): DnsRecord[] {
  const ofSeeds = ctx.model.seeds.flatMap((seed) => [
    ...recordsOf(ctx, seed, tunnelNeed(ctx, seed)),
    ...platformRecords(ctx, monitoringNeeds(ctx, seed)),
  ]);
  const records = [...platformRecords(ctx, [baseNeed(ctx), ...serviceNeeds(ctx)]), ...ofSeeds];
  for (const c of ctx.clusters) records.push(...clusterRecords(c));
  return records;
}

/** Wildcards carry all clusters; only what another name hides from them gets a record of its own. */
function withWildcards(ctx: PlanContext): DnsRecord[] {
  const ofSeeds = ctx.model.seeds.flatMap((seed) => [
    ...recordsOf(ctx, seed, seedWildcardNeed(ctx, seed)),
    ...platformRecords(ctx, monitoringNeeds(ctx, seed)),
  ]);
  const records = [...platformRecords(ctx, [baseNeed(ctx), wildcardNeed(ctx), ...serviceNeeds(ctx)]), ...ofSeeds];
  const { exists } = zoneOf(records, foreignNames(ctx));
  for (const seed of ctx.model.seeds) {
    const need = tunnelNeed(ctx, seed);
    if (need !== undefined && exists(need.name)) records.push(...recordsOf(ctx, seed, need));
  }
  // Below the seed's domain a wildcard stops only at names that exist, so one look per cluster is enough.
  for (const c of ctx.clusters) if (exists(c.hostName)) records.push(...clusterRecords(c));
  return records;
}

/** Names of others in the zone, written in full or relative to the domain. */
function foreignNames(ctx: PlanContext): string[] {
  return (ctx.model.platform.spec.dns?.existing ?? []).map((text) => {
    const name = text.toLowerCase().replace(/\.$/, '');
    return isWithin(name, ctx.domain) ? name : `${name}.${ctx.domain}`;
  });
}

const platformRecords = (ctx: PlanContext, needs: readonly NameNeed[]): DnsRecord[] =>
  needs.map((need) => recordOf(need, ctx.ingress, ttlOf(ctx.model.platform)));

const recordsOf = (ctx: PlanContext, seed: Seed, need: NameNeed | undefined): DnsRecord[] =>
  need === undefined
    ? []
    : [recordOf(need, ctx.gateways.get(seed.metadata.name) ?? unknown, ttlOf(ctx.model.platform))];

const clusterRecords = memo((c: ClusterContext): DnsRecord[] =>
  clusterNeeds(c).map((need) => recordOf(need, c.gateway, ttlOf(c.platform))),
);

const unknown: Target = { addresses: [], hostname: undefined, dynamic: false };

function recordOf(need: NameNeed, { addresses, hostname, dynamic }: Target, ttl: number): DnsRecord {
  const { name, place, ...why } = need;
  // A name that is an alias cannot have addresses too; the cloud's name outlives the addresses behind it.
  const target = hostname === undefined ? { addresses: [...addresses] } : { addresses: [], hostname };
  const isKnown = hostname !== undefined || addresses.length > 0;
  return { name, place, ...target, ...(dynamic ? { dynamic } : {}), phase: isKnown ? 'target' : 'name', ttl, ...why };
}

/** Two needs of one name are a conflict that validation reports; the zone stays valid meanwhile. */
function firstOfEachName(records: readonly DnsRecord[]): DnsRecord[] {
  const seen = new Set<string>();
  return records.filter(({ name }) => !seen.has(name) && seen.add(name));
}
