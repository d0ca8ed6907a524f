import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Resolve } from '../../net/wire/index.ts';
import { readBackend } from '../snapshot/hosts.ts';
import { type RoundRobinPosition, UpstreamHosts } from './upstream.ts';

interface Scene {
  readonly backends: UpstreamHosts;
  /** What one connection would try, in order; those in `failing` fail. */
  tries(failing?: readonly string[]): string[];
  pass(ms: number): void;
}

function scene(texts: readonly string[], resolve: Resolve = () => new Promise(() => {})): Scene {
  let now = 0;
  const backends = new UpstreamHosts(resolve, () => now);
  backends.update(texts.map(readBackend));
  const tries = (failing: readonly string[] = []): string[] => {
    const position: RoundRobinPosition = { start: 0, tried: 0 };
    const tried: string[] = [];
    backends.prepare(now, { dial: () => {} });
    backends.beginRoundRobin(position);
    for (let one = backends.next(position, now); one !== undefined; one = backends.next(position, now)) {
      tried.push(one.address);
      if (!failing.includes(one.address)) {
        one.succeeded();
        break;
      }
      one.failed(now);
    }
    return tried;
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { backends, tries, pass };
}
const three = ['10.0.0.1:1', '10.0.0.2:1', '10.0.0.3:1'];

describe('upstream hosts of a route', () => {
  it('are chosen by round robin', () => {
    const { tries } = scene(three);
    assert.deepEqual([tries(), tries(), tries(), tries()].flat(), ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.1']);
  });

  it('are all tried once before giving up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32 }), fc.nat(40), (count, before) => {
        const addresses = Array.from({ length: count }, (_, i) => `10.0.0.${i}`);
        const { tries } = scene(addresses.map((address) => `${address}:1`));
        for (let i = 0; i < before; i++) tries();
        assert.deepEqual(tries(addresses).sort(), addresses.sort());
      }),
    );
  });

  it('are ejected for ten seconds after a failure, and longer each time, up to a minute (outlier detection)', () => {
    const { tries, pass } = scene(['10.0.0.1:1', '10.0.0.2:1']);
    assert.deepEqual(tries(['10.0.0.1']), ['10.0.0.1', '10.0.0.2']);
    for (const expected of [10_000, 20_000, 40_000, 60_000, 60_000]) {
      pass(expected - 1);
      const early = [...tries(['10.0.0.1']), ...tries(['10.0.0.1'])];
      assert.deepEqual(early, ['10.0.0.2', '10.0.0.2'], `left out until ${expected}`);
      pass(1);
      const due = [...tries(['10.0.0.1']), ...tries(['10.0.0.1'])];
      assert.ok(due.includes('10.0.0.1'), `tried again after ${expected}`);
    }
  });

  it('are tried all the same when every one of them is ejected', () => {
    const { tries } = scene(three);
    tries(three.map((text) => text.slice(0, -2)));
    assert.equal(tries().length, 1);
  });

  it('are as good as new after a success', () => {
    const { tries, pass } = scene(['10.0.0.1:1']);
    tries(['10.0.0.1']);
    assert.deepEqual(tries(), ['10.0.0.1']);
    pass(1);
    tries(['10.0.0.1']);
    pass(10_000);
    assert.deepEqual(tries(), ['10.0.0.1']);
  });

  it('keep what is known of them when others come and go', () => {
    const { backends, tries } = scene(['10.0.0.1:1', '10.0.0.2:1']);
    tries(['10.0.0.1']);
    backends.update(['10.0.0.1:1', '10.0.0.3:1'].map(readBackend));
    assert.deepEqual([...tries(), ...tries()], ['10.0.0.3', '10.0.0.3']);
  });
});

/** Until what was asked of the resolver is answered. */
const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('upstream hosts by name', () => {
  it('are all addresses of the name, asked for once in five seconds', async () => {
    const asked: string[] = [];
    const { tries, pass } = scene(['db.test:1'], async (name) => {
      asked.push(name);
      return ['10.0.0.1', '10.0.0.2'];
    });
    assert.deepEqual(tries(), []);
    await answered();
    assert.deepEqual([...tries(), ...tries(), ...tries()].sort(), ['10.0.0.1', '10.0.0.2', '10.0.0.2']);
    assert.deepEqual(asked, ['db.test']);
    pass(5000);
    tries();
    assert.deepEqual(asked, ['db.test', 'db.test']);
  });

  it('stay as they were while the resolver fails', async () => {
    let works = true;
    const { tries, pass } = scene(['db.test:1'], async () => {
      if (works) return ['10.0.0.1'];
      throw new Error('no answer');
    });
    tries();
    await answered();
    works = false;
    pass(3_600_000);
    tries();
    await answered();
    assert.deepEqual(tries(), ['10.0.0.1']);
  });

  it('make the first connection wait for the answer, but not those that have an old one', async () => {
    let answer: (addresses: readonly string[]) => void = () => {};
    const { backends, tries, pass } = scene(['db.test:1'], () => new Promise((resolve) => (answer = resolve)));
    let dialled = 0;
    assert.equal(backends.prepare(0, { dial: () => dialled++ }), false);
    answer(['10.0.0.1']);
    await answered();
    assert.equal(dialled, 1);
    pass(6000);
    assert.deepEqual(tries(), ['10.0.0.1'], 'the next answer has not come yet');
    answer(['10.0.0.2']);
    await answered();
    assert.deepEqual(tries(), ['10.0.0.2']);
  });
});
