// Removing a cluster removes what was its own, from every part of the plan, and touches nothing else.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Model } from '../model/schema/index.ts';
import { lockOf } from './addresses/index.ts';
import { gatewayComponent } from './egress/gateways.ts';
import { plan } from './plan.ts';
import type { Plan } from './schema/index.ts';
import { arbitraryModel } from './testing/arbitrary-model.ts';

interface Item {
  readonly clusters: readonly string[];
  /** What stays as it is for as long as anybody needs the item. */
  readonly steady: unknown;
}

/** Everything in a plan that is there for clusters, by a name that says which thing it is. */
function itemsOf(planned: Plan): Map<string, Item> {
  const items = new Map<string, Item>();
  const add = (key: string, clusters: readonly string[], steady: unknown): void => {
    assert.equal(items.has(key), false, `${key} is in the plan twice`);
    items.set(key, { clusters, steady });
  };
  // Reasons, paths and targets may name what only some clusters need, so they may get shorter.
  for (const { from, to, protocol, ports, requirement, clusters } of planned.flows)
    add(`flow ${from} ${to} ${protocol} ${ports.join()} ${requirement}`, clusters, 0);
  for (const { clusters, ...record } of planned.dns.records) add(`record ${record.name}`, clusters, record);
  for (const { clusters, ...certificate } of planned.certificates)
    add(`certificate ${certificate.name}`, clusters, certificate);
  for (const { host, ports, component, status, requirement, clusters } of planned.egress.entries)
    add(
      `egress ${host} ${component} ${status}${component === gatewayComponent ? ` ${ports}` : ''}`,
      clusters,
      requirement,
    );
  addPerCluster(planned, add);
  return items;
}

function addPerCluster({ settings, endpoints, konnectivity, proxy, gateway, addresses }: Plan, add: Add): void {
  const parts = { settings: settings.clusters, endpoints, konnectivity, workers: proxy.workers };
  for (const [part, records] of Object.entries(parts))
    for (const [name, value] of Object.entries(records)) add(`${part} ${name}`, [name], value);
  for (const [place, value] of Object.entries(proxy.places)) add(`proxy of ${place}`, clusterIn(place), value);
  for (const [seed, { clusters, version: _, ...head }] of Object.entries(gateway)) {
    add(`gateway ${seed}`, [], head);
    for (const [name, value] of Object.entries(clusters)) add(`route ${seed} ${name}`, [name], value);
  }
  addAddresses(addresses, add);
}

function addAddresses({ pools, nodePorts }: Plan['addresses'], add: Add): void {
  for (const { pool, allocations } of pools)
    for (const { for: user, ...value } of allocations) add(`address ${pool} ${user}`, clusterIn(user), value);
  for (const { seed, allocations } of nodePorts)
    for (const value of allocations) add(`ports ${seed} ${value.cluster}`, [value.cluster], value);
}

/** `cluster/NAME`, or whatever is not about a cluster. */
function clusterIn(text: string): string[] {
  const [kind, name = ''] = text.split('/');
  return kind === 'cluster' ? [name] : [];
}

type Add = (key: string, clusters: readonly string[], steady: unknown) => void;

const removal = fc
  .tuple(arbitraryModel(), fc.nat(7))
  .map(([model, at]) => ({ model, gone: model.clusters[at % model.clusters.length]?.metadata.name ?? '' }))
  .filter(({ gone }) => gone !== '');
const without = (model: Model, gone: string): Model => ({
  ...model,
  clusters: model.clusters.filter((c) => c.metadata.name !== gone),
});

it('removing a cluster removes what was its own, and nothing else', () => {
  fc.assert(
    fc.property(removal, ({ model, gone }) => {
      const lock = lockOf(plan(model).addresses);
      const before = itemsOf(plan(model, lock));
      const after = itemsOf(plan(without(model, gone), lock));
      // What is there without any cluster: the platform's own, and what planned clusters will need.
      const withoutClusters = itemsOf(plan({ ...model, clusters: [] }, lock));
      for (const [key, { clusters, steady }] of before) {
        const left = clusters.filter((name) => name !== gone);
        const stays = left.length > 0 || withoutClusters.has(key);
        assert.deepEqual(after.get(key), stays ? { clusters: left, steady } : undefined, key);
      }
      for (const key of after.keys()) assert.ok(before.has(key), `${key} is new`);
    }),
    { numRuns: 200 },
  );
});

it('the requirements that are left are those of what is left', () => {
  fc.assert(
    fc.property(removal, ({ model, gone }) => {
      const before = new Map(plan(model).requirements.map(({ id, clusters }) => [id, clusters]));
      for (const { id, clusters } of plan(without(model, gone)).requirements)
        assert.deepEqual(
          clusters,
          before.get(id)?.filter((name) => name !== gone),
          id,
        );
    }),
    { numRuns: 100 },
  );
});

it('without planned clusters nothing is prepared: with the last cluster everything for clusters goes', () => {
  fc.assert(
    fc.property(removal, ({ model, gone }) => {
      const seeds = model.seeds.map((seed) => ({ ...seed, spec: { ...seed.spec, plannedClusters: undefined } }));
      const last = model.clusters.filter((c) => c.metadata.name === gone);
      const alone = plan({ ...model, seeds, clusters: last });
      const left = new Set(itemsOf(plan({ ...model, seeds, clusters: [] })).keys());
      for (const { from, to, protocol, ports, requirement, clusters } of alone.flows)
        if (clusters.length > 0)
          assert.equal(left.has(`flow ${from} ${to} ${protocol} ${ports.join()} ${requirement}`), false);
    }),
    { numRuns: 100 },
  );
});
