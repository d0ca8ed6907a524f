import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Dial } from '../../net/wire/index.ts';
import { type FileHolder, OpenFiles } from './open-files.ts';
import { cluster, createFixture, type DataplaneFixture } from './testing/dataplane-fixture.ts';
import { FakeWire } from './testing/fake-wire.ts';

interface Scene {
  readonly files: OpenFiles;
  readonly holders: readonly FileHolder[];
  /** What clients have that have not said what they want. */
  newcomers: number;
}

function scene(limit: number, clusters: number): Scene {
  const holders = Array.from({ length: clusters }, () => ({ files: 0 }));
  const used = (): number => holders.reduce((sum, { files }) => sum + files, made.newcomers);
  const made = { files: new OpenFiles(() => limit, used), holders, newcomers: 0 };
  made.files.configure(clusters, holders);
  return made;
}
const takeAll = (files: OpenFiles, holder: FileHolder): number => {
  while (files.take(holder, 2));
  return holder.files;
};

function doStep(made: Scene, what: 'take' | 'give' | 'come' | 'go', holder: FileHolder): void {
  if (what === 'take') made.files.take(holder, 2);
  else if (what === 'give' && holder.files > 0) made.files.give(holder, 2);
  else if (what === 'come' && made.files.hasRoomForNewcomer()) made.newcomers += 1;
  else if (what === 'go' && made.newcomers > 0) made.newcomers -= 1;
}

describe('open files', () => {
  it('are never given away beyond the limit, whoever takes and gives', () => {
    const holder = fc.nat(4);
    const step = fc.oneof(
      fc.tuple(fc.constant('take' as const), holder),
      fc.tuple(fc.constant('give' as const), holder),
      fc.tuple(fc.constantFrom('come' as const, 'go' as const), fc.constant(0)),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.array(step, { maxLength: 400 }), (limit, steps) => {
        const made = scene(limit, 5);
        for (const [what, who] of steps) {
          doStep(made, what, made.holders[who] ?? assert.fail());
          const used = made.holders.reduce((sum, { files }) => sum + files, made.newcomers);
          assert.ok(used + made.files.mostLingering <= limit, `${used} of ${limit}`);
        }
      }),
    );
  });

  it('are there for each cluster up to its share, whatever one cluster and newcomers took before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 5000 }), fc.integer({ min: 2, max: 20 }), (limit, clusters) => {
        const made = scene(limit, clusters);
        const [greedy, ...others] = made.holders;
        takeAll(made.files, greedy ?? assert.fail());
        while (made.files.hasRoomForNewcomer()) made.newcomers += 1;
        for (const other of others) assert.ok(takeAll(made.files, other) >= 4, `${other.files} of ${limit}`);
      }),
    );
  });

  it('go to one cluster but for shares, newcomers and those that linger, when nobody else wants them', () => {
    const made = scene(1000, 2);
    // 62 linger, 64 for newcomers, 64 of the other cluster.
    assert.equal(takeAll(made.files, made.holders[0] ?? assert.fail()), 810);
  });

  it('have no bound where the system sets none', () => {
    const made = scene(Number.POSITIVE_INFINITY, 2);
    for (let i = 0; i < 100_000; i++) assert.ok(made.files.take(made.holders[0] ?? assert.fail(), 2));
    assert.equal(made.files.hasRoomForNewcomer(), true);
  });

  it('are shared anew when clusters come', () => {
    const made = scene(1000, 1);
    takeAll(made.files, made.holders[0] ?? assert.fail());
    assert.equal(made.files.take(made.holders[0] ?? assert.fail(), 2), false);
    const late = { files: 0 };
    made.files.configure(2, [...made.holders, late]);
    assert.ok(made.files.take(late, 2));
  });
});

const port = (number: number) => ({ kind: 'nodePort', address: '127.0.0.1', port: number }) as const;
const sni = { kind: 'sni', address: '127.0.0.1', port: 6443 } as const;

function accepted(fixture: DataplaneFixture, listener: ReturnType<typeof port> | typeof sni): FakeWire {
  const wire = new FakeWire();
  fixture.dataplane.accept(listener, wire);
  return wire;
}
const twoClusters = (backend: string) =>
  Object.fromEntries(
    ['noisy', 'quiet'].map((name, i) => [
      name,
      cluster(name, [backend], { apiServer: { nodePort: 30_000 + i, backends: [backend] } }),
    ]),
  );
const refusalsOf = (fixture: DataplaneFixture, name: string) =>
  fixture.dataplane.counters().clusters[name]?.apiServer.refusals ?? {};

describe('a worker with few open files', () => {
  it('refuses the cluster that has more than its share, by its own code, and carries the other one', (t) => {
    const fixture = createFixture(t, { files: () => 100, resolve: () => new Promise(() => {}) });
    fixture.apply(twoClusters('never.test:1'));
    for (let i = 0; i < 1000; i++) accepted(fixture, port(30_000));
    const { clusters } = fixture.dataplane.counters();
    assert.equal(clusters.noisy?.apiServer.refusals['no-descriptors'], 1000 - (clusters.noisy?.apiServer.open ?? 0));
    assert.ok((clusters.noisy?.apiServer.open ?? 0) >= 10);
    for (let i = 0; i < 5; i++) accepted(fixture, port(30_001));
    assert.equal(fixture.dataplane.counters().clusters.quiet?.apiServer.open, 5);
    assert.deepEqual(refusalsOf(fixture, 'quiet'), {});
  });

  it('lets a client go that says nothing when another one needs its place', (t) => {
    const fixture = createFixture(t, { files: () => 100, resolve: () => new Promise(() => {}) });
    fixture.apply(twoClusters('never.test:1'));
    for (let i = 0; i < 500; i++) accepted(fixture, sni);
    const { halfOpen, refusals } = fixture.dataplane.counters();
    assert.deepEqual(refusals, { sni: { 'no-descriptors': 500 - halfOpen } });
    for (let i = 0; i < 5; i++) accepted(fixture, port(30_001));
    assert.equal(fixture.dataplane.counters().clusters.quiet?.apiServer.open, 5);
  });

  it('has all of them again when its connections have ended', (t) => {
    const fixture = createFixture(t, { files: () => 100, resolve: () => new Promise(() => {}) });
    fixture.apply(twoClusters('never.test:1'));
    const opened = (): number => fixture.dataplane.counters().clusters.noisy?.apiServer.open ?? 0;
    const wires = Array.from({ length: 100 }, () => accepted(fixture, port(30_000)));
    const most = opened();
    for (const wire of wires) wire.destroy();
    assert.equal(opened(), 0);
    for (let i = 0; i < 100; i++) accepted(fixture, port(30_000));
    assert.equal(opened(), most);
  });
});

describe('a dial that fails for want of open files', () => {
  for (const code of ['EMFILE', 'ENFILE'])
    it(`is told as that and not as a failure of the backend, which is not ejected (${code})`, async (t) => {
      let fails = true;
      const dialled: string[] = [];
      const dial: Dial = (address, _port, _ms, done) => {
        dialled.push(address);
        if (fails) setImmediate(done, Object.assign(new Error(code), { code }));
        return () => {};
      };
      const fixture = createFixture(t, { dial });
      const backends = ['10.0.0.1:1', '10.0.0.2:1'];
      fixture.apply({ blue: cluster('blue', backends, { apiServer: { nodePort: 30_000, backends } }) });
      accepted(fixture, port(30_000));
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      assert.deepEqual(refusalsOf(fixture, 'blue'), { 'no-descriptors': 1 });
      assert.deepEqual(dialled, ['10.0.0.1']);
      fails = false;
      for (let i = 0; i < 2; i++) accepted(fixture, port(30_000));
      assert.deepEqual(dialled, ['10.0.0.1', '10.0.0.2', '10.0.0.1'], 'none is ejected');
    });
});
