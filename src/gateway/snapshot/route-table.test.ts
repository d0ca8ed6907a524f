import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Target } from './cluster-entry.ts';
import { RouteTable } from './route-table.ts';
import { diffSnapshots, type Snapshot, type SnapshotCluster } from './snapshot.ts';
import { arbitrarySnapshot, sampleCluster, sampleRoute, sampleSnapshot } from './testing/snapshots.ts';

const tableOf = (snapshot: Snapshot): RouteTable => {
  const table = new RouteTable();
  table.apply(diffSnapshots(undefined, snapshot));
  return table;
};

/** Everything that a table can be asked for, in an order of its own. */
function contentOf(table: RouteTable): unknown {
  const shown = ({ cluster, service, route, backends }: Target) => [
    cluster.name,
    service,
    cluster.config,
    cluster[service].route === route,
    backends,
    [cluster.removed, cluster.idleTimeoutMs, cluster.maxConnections, cluster.allows('10.1.2.3'), cluster.allows('::1')],
  ];
  const kinds = Object.entries(table.claimed()).map(([kind, map]) => [
    kind,
    [...(map as ReadonlyMap<string | number, Target>)]
      .map(([key, target]) => [String(key), shown(target)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  return {
    kinds,
    names: [...table.clusters()].map(({ name }) => name).sort(),
    version: table.version,
    settings: table.settings,
  };
}

describe('a table that was changed step by step', () => {
  it('is the table of the last snapshot', () => {
    fc.assert(
      fc.property(fc.array(arbitrarySnapshot, { minLength: 1, maxLength: 5 }), (snapshots) => {
        const table = new RouteTable();
        let before: Snapshot | undefined;
        for (const after of snapshots) {
          table.apply(diffSnapshots(before, after));
          assert.deepEqual(contentOf(table), contentOf(tableOf(after)));
          before = after;
        }
      }),
    );
  });

  it('keeps the entries of clusters that stay, and marks those that go', () => {
    fc.assert(
      fc.property(arbitrarySnapshot, arbitrarySnapshot, (before, after) => {
        const table = tableOf(before);
        const entries = [...table.clusters()].map((entry) => ({ entry, revision: entry.revision }));
        const { changed } = diffSnapshots(before, after);
        const applied = table.apply(diffSnapshots(before, after));
        for (const { entry, revision } of entries) {
          const stays = Object.hasOwn(after.clusters, entry.name);
          assert.equal(entry.removed, !stays);
          assert.equal(table.cluster(entry.name) === entry, stays);
          assert.equal(entry.revision - revision, Object.hasOwn(changed, entry.name) ? 1 : 0);
          assert.equal(applied.removed.includes(entry), !stays);
        }
        assert.equal(applied.added.length + entries.length - applied.removed.length, table.size);
      }),
    );
  });
});

describe('the difference of two snapshots', () => {
  it('has no cluster that is equal, whatever the order of its keys', () => {
    const reversed = (cluster: SnapshotCluster): SnapshotCluster =>
      Object.fromEntries(Object.entries(cluster).reverse()) as unknown as SnapshotCluster;
    const after = sampleSnapshot({ web: reversed(sampleCluster('web')), shop: sampleCluster('shop') });
    const { changed, removed, settings } = diffSnapshots(sampleSnapshot(), after);
    assert.deepEqual([Object.keys(changed), removed], [['shop'], []]);
    assert.deepEqual({ ...settings, version: '1', clusters: after.clusters }, after);
  });

  it('sees a field that is new or gone', () => {
    const limited = sampleSnapshot({ web: sampleCluster('web', { maxConnections: 5 }) });
    assert.deepEqual(Object.keys(diffSnapshots(sampleSnapshot(), limited).changed), ['web']);
    assert.deepEqual(Object.keys(diffSnapshots(limited, sampleSnapshot()).changed), ['web']);
    assert.deepEqual(diffSnapshots(limited, sampleSnapshot({})).removed, ['web']);
  });
});

describe('a look-up', () => {
  const table = tableOf(
    sampleSnapshot({
      web: sampleCluster('web', {
        allowedSourceRanges: ['10.0.0.0/8'],
        konnectivity: sampleRoute({ nodePort: 30_001 }),
      }),
      shop: sampleCluster('shop', { apiServer: sampleRoute({ addresses: ['2001:DB8::1'], port: 443 }) }),
    }),
  );
  const nameOf = (target: Target | undefined): string => `${target?.cluster.name} ${target?.service}`;

  it('finds what was asked for by name, authority, port and address', () => {
    assert.equal(nameOf(table.bySni('web.west.example.com')), 'web apiServer');
    assert.equal(nameOf(table.byAuthority('Apiserver-External.cluster-web.svc:443')), 'web apiServer');
    assert.equal(nameOf(table.byNodePort(30_001)), 'web konnectivity');
    assert.equal(nameOf(table.byAddress('2001:db8:0:0::1', 443)), 'shop apiServer');
    assert.equal(table.tunnelName, 'tunnel.west.example.com');
  });

  it('finds nothing else, not even what every object has', () => {
    assert.equal(table.bySni('constructor'), undefined);
    assert.equal(table.byAuthority('web.west.example.com'), undefined);
    assert.equal(table.byNodePort(30_000), undefined);
    assert.equal(table.byAddress('2001:db8::1', 444), undefined);
  });

  it('leads to backends that were read once, and are the same list while they do not change', () => {
    const target = table.bySni('web.west.example.com') ?? assert.fail();
    const { backends } = target;
    assert.deepEqual(backends, [{ text: '10.5.0.1:6443', host: '10.5.0.1', port: 6443, isAddress: true }]);
    target.cluster.update({ ...target.cluster.config, idleTimeout: '1h' });
    assert.equal(target.backends, backends);
    assert.equal(target.cluster.idleTimeoutMs, 3_600_000);
    target.cluster.update({ ...target.cluster.config, apiServer: sampleRoute({ backends: ['db.example:5'] }) });
    assert.deepEqual(target.backends, [{ text: 'db.example:5', host: 'db.example', port: 5, isAddress: false }]);
  });

  it('knows who may come', () => {
    const { cluster } = table.bySni('web.west.example.com') ?? assert.fail();
    assert.deepEqual(
      ['10.1.1.1', '::ffff:10.1.1.1', '11.1.1.1'].map((from) => cluster.allows(from)),
      [true, true, false],
    );
    assert.equal(table.byAddress('2001:db8::1', 443)?.cluster.allows('11.1.1.1'), true);
  });
});
