// Laws of the plan as a whole: its parts were computed one by one, and must agree.
import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { tlsCovers } from '../core/names.ts';
import { loadFiles } from '../model/load/index.ts';
import type { Model } from '../model/schema/index.ts';
import { lockOf } from './addresses/index.ts';
import { rowById } from './catalogue/index.ts';
import { zoneOf } from './dns/index.ts';
import { planDocument } from './document.ts';
import { plan } from './plan.ts';
import { type Certificate, type Endpoint, type Plan, planSchema } from './schema/index.ts';
import { arbitraryModel } from './testing/arbitrary-model.ts';

const law = (check: (planned: Plan, model: Model) => void, numRuns = 100): void =>
  fc.assert(
    fc.property(arbitraryModel(), (model) => check(plan(model), model)),
    { numRuns },
  );
const documentsOf = ({ platform, seeds, datacenters, clusters, pools }: Model) => [
  platform,
  ...seeds,
  ...datacenters,
  ...clusters,
  ...pools,
];

describe('a plan', () => {
  it('has the published shape', () => {
    law((planned) => {
      const { error } = planSchema.safeParse(planDocument(planned));
      assert.equal(error, undefined, error?.message);
    });
  });

  it('survives being written as JSON and read again', () => {
    law((planned) => {
      const document = planDocument(planned);
      assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
    });
  });

  it('is the same text for the same documents', () => {
    law((planned, model) => assert.equal(JSON.stringify(plan(structuredClone(model))), JSON.stringify(planned)));
  });

  it('does not depend on the order of documents', () => {
    const shuffled = <Item>(list: readonly Item[]): fc.Arbitrary<Item[]> =>
      fc.shuffledSubarray([...list], { minLength: list.length });
    const reordered = arbitraryModel().chain((model) =>
      fc
        .record({
          seeds: shuffled(model.seeds),
          datacenters: shuffled(model.datacenters),
          clusters: shuffled(model.clusters),
          pools: shuffled(model.pools),
        })
        .map((lists) => [model, { ...model, ...lists }] as const),
    );
    fc.assert(
      fc.property(reordered, ([model, other]) => {
        assert.equal(JSON.stringify(plan(structuredClone(other))), JSON.stringify(plan(model)));
      }),
      { numRuns: 100 },
    );
  });

  it('does not depend on the order of files, nor on how documents are spread over them', () => {
    const texts = (model: Model) => documentsOf(model).map((document) => stringify(document));
    const asFiles = arbitraryModel().chain((model) =>
      fc.tuple(fc.constant(texts(model)), fc.shuffledSubarray(texts(model), { minLength: texts(model).length })),
    );
    const planOf = (files: readonly string[]): string => {
      const { model, findings } = loadFiles(files.map((text, i) => ({ path: `${i}.yaml`, text })));
      assert.ok(model, findings.map((finding) => finding.message).join());
      return JSON.stringify(plan(model));
    };
    fc.assert(
      fc.property(asFiles, ([texts, others]) => {
        assert.equal(planOf(others), planOf(texts));
        assert.equal(planOf([others.join('---\n')]), planOf(texts));
      }),
      { numRuns: 20 },
    );
  });
});

describe('what is in the lock', () => {
  it('never moves, whatever else is added', () => {
    fc.assert(
      fc.property(arbitraryModel(), fc.subarray([...Array(8).keys()]), (model, kept) => {
        const few = { ...model, clusters: model.clusters.filter((_, i) => kept.includes(i)) };
        const lock = lockOf(plan(few).addresses);
        const grown = lockOf(plan(model, lock).addresses);
        for (const [pool, users] of Object.entries(lock.pools))
          for (const [user, addresses] of Object.entries(users))
            assert.deepEqual(grown.pools[pool]?.[user], addresses, `${pool} ${user}`);
        for (const [seed, clusters] of Object.entries(lock.nodePorts))
          for (const [name, ports] of Object.entries(clusters))
            assert.deepEqual(grown.nodePorts[seed]?.[name], ports, `${seed} ${name}`);
      }),
      { numRuns: 100 },
    );
  });

  it('gives the same plan as the proposals that were written to it', () => {
    law((planned, model) => {
      const { addresses: _, ...rest } = planned;
      const { addresses: __, ...again } = plan(model, lockOf(planned.addresses));
      assert.deepEqual(again, rest);
    });
  });
});

describe('rows and places', () => {
  it('of the catalogue are named by everything that has a reason', () => {
    law(({ flows, dns, certificates, egress, addresses, requirements }) => {
      const needs = addresses.pools.flatMap((pool) => pool.needs);
      for (const { requirement } of [...flows, ...dns.records, ...certificates, ...egress.entries, ...needs])
        assert.ok(rowById.has(requirement), requirement);
      for (const { id } of requirements) assert.ok(rowById.has(id), id);
    });
  });

  it('that are named exist', () => {
    law(({ places, flows, dns, certificates, egress, requirements }) => {
      const named = [
        ...flows.flatMap(({ from, to }) => [from, to]),
        ...[...dns.records, ...certificates].map(({ place }) => place),
        ...egress.entries.flatMap((entry) => entry.from),
        ...requirements.flatMap((requirement) => requirement.vantages),
        ...Object.keys(egress.modes),
      ];
      for (const place of named) assert.ok(Object.hasOwn(places, place), place);
    });
  });

  it('are named for clusters that exist, sorted and once', () => {
    law(({ endpoints, flows, dns, certificates, egress, requirements }) => {
      for (const { clusters } of [...flows, ...dns.records, ...certificates, ...egress.entries, ...requirements]) {
        assert.deepEqual(clusters, [...new Set(clusters)].sort());
        assert.ok(clusters.every((name) => Object.hasOwn(endpoints, name)));
      }
    });
  });
});

const covers = (certificate: Certificate | undefined, host: string | null): boolean =>
  host === null ||
  (isIP(host) === 0
    ? certificate?.dnsNames.some((pattern) => tlsCovers(pattern, host)) === true
    : certificate?.ips.includes(host) === true);

describe('endpoints', () => {
  it('are covered by their certificates, from outside and from pods', () => {
    law(({ endpoints, certificates }) => {
      const byName = new Map(certificates.map((certificate) => [certificate.name, certificate]));
      for (const { cluster, seed, apiServer, konnectivity, tunnel, kubernetesService } of Object.values(endpoints)) {
        for (const host of [apiServer.host, ...kubernetesService.addresses])
          assert.ok(covers(byName.get(`apiserver-${cluster}`), host), `${cluster} ${host}`);
        assert.ok(covers(byName.get(`konnectivity-${cluster}`), konnectivity.host), `${cluster} ${konnectivity.host}`);
        if (tunnel?.tls === true) assert.ok(covers(byName.get(`gateway-${seed}`), tunnel.host), `${cluster} tunnel`);
      }
    });
  });

  it('at a gateway resolve to it', () => {
    law(({ endpoints, dns }) => {
      const zone = zoneOf(dns.records);
      const resolves = (name: string, { seed }: Endpoint): void =>
        assert.equal(zone.resolve(name)?.place, `seed/${seed}/gateway`, name);
      for (const endpoint of Object.values(endpoints)) {
        if (endpoint.strategy === 'LoadBalancer') continue;
        for (const { host } of [endpoint.apiServer, endpoint.konnectivity]) resolves(host as string, endpoint);
        if (endpoint.tunnel !== undefined) resolves(endpoint.tunnel.host, endpoint);
      }
    });
  });
});
