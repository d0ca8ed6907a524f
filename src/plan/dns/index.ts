// DNS records of the platform. Names are known at once; their targets when load balancers have addresses.

import { isWithin } from '../../core/names.ts';
import type { Platform, Seed } from '../../model/schema/index.ts';
import { memoInside, memoLast } from '../cache.ts';
import { type ClusterContext, type PlanContext, seedDomainOf, type Target } from '../context.ts';
import { masterIngress } from '../places/ids.ts';
import type { Dns, DnsRecord } from '../schema/index.ts';
import { type Zone, zoneOf } from './encloser.ts';
import {
  baseNeed,
  clusterNeeds,
  clustersOf,
  monitoringNeeds,
  type NameNeed,
  seedWildcardName,
  seedWildcardNeed,
  serviceNeeds,
  tunnelNeed,
  wildcardNeed,
} from './needs.ts';

export { resolve, zoneOf } from './encloser.ts';
export { type NameNeed, nameNeeds, servicesOf, tunnelNeed } from './needs.ts';

const defaultTtl = 300;
const ttlOf = (platform: Platform): number => platform.spec.dns?.ttl ?? defaultTtl;

export function planDns(ctx: PlanContext): Dns {
  const shared = sharedNeeds(ctx);
  const zone = hasWildcards(ctx) ? wildcardZone(ctx) : undefined;
  const records = (shared.get(undefined) ?? []).map((need) => recordOf(need, ctx.ingress, ttlOf(ctx.model.platform)));
  const ofSeeds = ctx.model.seeds.map((seed) => seedRecords(ctx, seed, shared.get(seed) ?? [], zone));
  const all = records.concat(...ofSeeds);
  return { zone: ctx.domain, records: seedsShareNames(ctx) ? firstOfEachName(all) : all };
}

const hasWildcards = (ctx: PlanContext): boolean => ctx.model.platform.spec.dns?.wildcards !== false;

/** What is needed whatever clusters there are: by the platform (no seed), and by each seed. */
function sharedNeeds(ctx: PlanContext): Map<Seed | undefined, NameNeed[]> {
  const wildcards = hasWildcards(ctx);
  const platform = [baseNeed(ctx), ...(wildcards ? [wildcardNeed(ctx)] : []), ...serviceNeeds(ctx)];
  const needs = new Map<Seed | undefined, NameNeed[]>([[undefined, platform]]);
  for (const seed of ctx.model.seeds) {
    const entry = wildcards ? seedWildcardNeed(ctx, seed) : tunnelNeed(ctx, seed);
    needs.set(seed, [...(entry === undefined ? [] : [entry]), ...monitoringNeeds(ctx, seed)]);
  }
  return needs;
}

const rememberedZone = memoLast<Platform, Zone<Pick<NameNeed, 'name'>>>();

/**
 * Names that could hide others from a wildcard: ours, and those of others in the same zone. Seeds count with all names
 * they may have, so that the last cluster of one seed does not decide about records of another.
 */
function wildcardZone(ctx: PlanContext): Zone<Pick<NameNeed, 'name'>> {
  const platform = [baseNeed(ctx), wildcardNeed(ctx), ...serviceNeeds(ctx)].map((need) => need.name);
  const ofSeeds = ctx.model.seeds.flatMap((seed) => [
    seedWildcardName(ctx, seed),
    ...monitoringNeeds(ctx, seed).map((need) => need.name),
  ]);
  const names = [...platform, ...ofSeeds];
  return rememberedZone(ctx.cache, ctx.model.platform, names, () =>
    zoneOf(
      names.map((name) => ({ name })),
      foreignNames(ctx),
    ),
  );
}

/** Written in full or relative to the domain. */
const foreignNames = (ctx: PlanContext): string[] =>
  (ctx.model.platform.spec.dns?.existing ?? []).map((text) => {
    const name = text.toLowerCase().replace(/\.$/, '');
    return isWithin(name, ctx.domain) ? name : `${name}.${ctx.domain}`;
  });

function seedRecords(
  ctx: PlanContext,
  seed: Seed,
  needs: readonly NameNeed[],
  zone: Zone<unknown> | undefined,
): DnsRecord[] {
  const ttl = ttlOf(ctx.model.platform);
  const gateway = ctx.gateways.get(seed.metadata.name) ?? unknown;
  const tunnel = tunnelNeed(ctx, seed);
  const isHidden = tunnel !== undefined && zone?.exists(tunnel.name) === true;
  const records = (isHidden ? [...needs, tunnel] : needs).map((need) =>
    recordOf(need, need.place === masterIngress ? ctx.ingress : gateway, ttl),
  );
  const taken = new Set(records.map((record) => record.name));
  return records.concat(explicitRecords(ctx, seed, zone).filter((record) => !taken.has(record.name)));
}

const rememberedRecords = memoLast<Seed, DnsRecord[]>();

/** All clusters, or, below wildcards, those whose name exists already: there and only there a wildcard ends. */
function explicitRecords(ctx: PlanContext, seed: Seed, zone: Zone<unknown> | undefined): DnsRecord[] {
  const clusters = clustersOf(ctx, seed);
  return rememberedRecords(ctx.cache, seed, [zone, ...clusters], () =>
    clusters.filter((c) => zone === undefined || zone.exists(c.hostName)).flatMap(clusterRecords),
  );
}

const clusterRecords = memoInside('dns-records', (c: ClusterContext): DnsRecord[] =>
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

/** Only where the domain of a seed is that of another, or below it, two documents can need the same name. */
function seedsShareNames(ctx: PlanContext): boolean {
  const domains = ctx.model.seeds.map((seed) => seedDomainOf(seed, ctx.domain));
  return domains.some((a, i) => domains.some((b, j) => i !== j && isWithin(a, b)));
}

/** A conflict that validation reports; the zone stays valid meanwhile. */
function firstOfEachName(records: readonly DnsRecord[]): DnsRecord[] {
  const seen = new Set<string>();
  return records.filter(({ name }) => !seen.has(name) && seen.add(name));
}
