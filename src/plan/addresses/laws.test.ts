import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { contains, type IpRange, overlaps, parseRange } from '../../core/ip.ts';
import { newCache, noCache, type PlanCache } from '../cache.ts';
import type { Addresses } from '../schema/index.ts';
import { addressesOf } from '../testing/address-plans.ts';
import { arbitrarySituation, type Situation } from '../testing/arbitrary-pools.ts';
import { lockOf } from './index.ts';

const law = (check: (situation: Situation) => void): void =>
  fc.assert(fc.property(arbitrarySituation, check), { numRuns: 300 });

const planOf = ({ model, allocations }: Situation, cache?: PlanCache): Addresses =>
  addressesOf(model, allocations, cache);

interface Held {
  readonly user: string;
  readonly range: IpRange;
  readonly isNew: boolean;
}
function heldIn({ pools }: Addresses, { allocations }: Situation): Held[] {
  return pools.flatMap(({ pool, allocations: given }) =>
    given.flatMap(({ for: user, addresses }) => {
      const locked = allocations.pools[pool]?.[user] ?? [];
      return addresses.map((text) => ({
        user: `${pool} ${user}`,
        range: parseRange(text),
        isNew: !locked.includes(text),
      }));
    }),
  );
}

const assertStarts = (list: readonly string[], start: readonly string[]): void =>
  assert.deepEqual(list.slice(0, start.length), start);

describe('allocations', () => {
  it('never move once they are locked', () => {
    law((situation) => {
      for (const { pool, allocations } of planOf(situation).pools) {
        const lock = situation.allocations.pools[pool] ?? {};
        for (const { for: user, addresses } of allocations) assertStarts(addresses, lock[user] ?? []);
      }
    });
  });

  it('of node ports never move once they are locked', () => {
    law((situation) => {
      const lock = situation.allocations.nodePorts.west ?? {};
      for (const { cluster, apiServer, konnectivity } of planOf(situation).nodePorts[0]?.allocations ?? []) {
        assert.deepEqual({ apiServer, konnectivity }, lock[cluster] ?? { apiServer, konnectivity });
      }
    });
  });

  it('never overlap, whatever is locked', () => {
    law((situation) => {
      const held = heldIn(planOf(situation), situation);
      for (const [i, a] of held.entries()) {
        for (const b of held.slice(i + 1))
          assert.ok(!overlaps(a.range, b.range), `${a.user} and ${b.user} share an address`);
      }
      const ports = planOf(situation).nodePorts.flatMap((seed) =>
        seed.allocations.flatMap((a) => [a.apiServer, a.konnectivity]),
      );
      assert.equal(new Set(ports).size, ports.length);
    });
  });

  it('are new only inside the ranges, outside the exclusions, and never what somebody entered by hand', () => {
    law((situation) => {
      const { clusters, pools } = situation.model;
      const byHand = clusters.flatMap(({ spec }) => [
        ...(spec.loadBalancerIPs ?? []),
        ...(spec.workloadAddresses?.ips ?? []),
      ]);
      for (const { user, range } of heldIn(planOf(situation), situation).filter((held) => held.isNew)) {
        const { ranges, exclude = [] } = pools.find((pool) => user.startsWith(`${pool.metadata.name} `))?.spec ?? {
          ranges: [],
        };
        const forbidden = [...exclude, ...byHand].map(parseRange);
        assert.ok(!forbidden.some((other) => overlaps(other, range)));
        assert.ok(covered(range, ranges.map(parseRange)));
      }
    });
  });

  it('do not depend on the order of documents', () => {
    law((situation) => {
      const { model, allocations } = situation;
      const reversed = { ...model, clusters: [...model.clusters].reverse(), pools: [...model.pools].reverse() };
      assert.deepEqual(addressesOf(structuredClone(reversed), allocations), planOf(situation));
    });
  });

  it('are kept by the lock that is written from them', () => {
    law((situation) => {
      const written = lockOf(planOf(situation));
      const next = addressesOf(situation.model, written);
      for (const { pool, allocations } of next.pools) {
        for (const { for: user, addresses } of allocations) assertStarts(addresses, written.pools[pool]?.[user] ?? []);
      }
      // A pool that was exhausted may profit from what the written lock freed; ports have no such neighbours.
      assert.deepEqual(lockOf(next).nodePorts, written.nodePorts);
      assert.ok(next.nodePorts.every((seed) => seed.allocations.every((allocation) => allocation.locked)));
    });
  });

  it('of other clusters stay when one is removed', () => {
    law((situation) => {
      const before = lockOf(planOf(situation));
      const [gone, ...clusters] = situation.model.clusters;
      const after = lockOf(addressesOf({ ...situation.model, clusters }, before));
      for (const [pool, users] of Object.entries(before.pools)) {
        for (const [user, addresses] of Object.entries(users)) {
          const now = after.pools[pool]?.[user];
          if (user === `cluster/${gone?.metadata.name}`) assert.equal(now, undefined);
          else assertStarts(now ?? [], addresses);
        }
      }
    });
  });

  it('are the same whether or not something similar was planned before', () => {
    law((situation) => {
      const cache = newCache();
      planOf(situation, cache);
      const changed = { ...situation, model: { ...situation.model, clusters: situation.model.clusters.slice(1) } };
      assert.deepEqual(planOf(changed, cache), planOf(changed, noCache));
    });
  });
});

/** Neighbouring ranges of a pool may hold a network together. */
function covered(range: IpRange, ranges: readonly IpRange[]): boolean {
  for (let value = range.first; value <= range.last; value++) {
    if (!ranges.some((outer) => contains(outer, { family: range.family, first: value, last: value }))) return false;
  }
  return true;
}
