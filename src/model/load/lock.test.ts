import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { everything } from '../testing/manifests.ts';
import { loadFiles } from './load-files.ts';
import { formatLock, readLock } from './lock.ts';

const allocations = {
  pools: { vips: { gateway: ['192.0.2.33'], 'cluster/web': ['192.0.2.34', '2001:db8::/64'] } },
  nodePorts: { eu: { web: { apiServer: 30000, konnectivity: 30001 } } },
};
const readBack = (text: string) => readLock({ path: 'causeway.lock.yaml', text });

test('what is written is read back', () => {
  assert.deepEqual(readBack(formatLock(allocations)), { allocations, findings: [] });
});

test('the same allocations give the same bytes, whatever the order they were made in', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/);
  const port = fc.integer({ min: 1, max: 65535 });
  const pools = fc.dictionary(name, fc.dictionary(name, fc.array(fc.ipV4(), { maxLength: 2 })), {
    noNullPrototype: true,
  });
  const nodePorts = fc.dictionary(name, fc.dictionary(name, fc.record({ apiServer: port, konnectivity: port })), {
    noNullPrototype: true,
  });
  const reversed = (value: unknown): unknown =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, inner]) => [key, reversed(inner)]),
        );
  fc.assert(
    fc.property(fc.record({ pools, nodePorts }), (made) => {
      assert.equal(formatLock(made), formatLock(reversed(made) as typeof made));
      assert.deepEqual(readBack(formatLock(made)).allocations, JSON.parse(JSON.stringify(made)));
    }),
    { numRuns: 50 },
  );
});

test('a lock that is no lock is refused with the place, and nothing of it is used', () => {
  const lines = formatLock(allocations);
  for (const [text, place] of [
    [lines.replace('30000', '0'), '/nodePorts.eu.web.apiServer'],
    [lines.replace('192.0.2.33', '192.0.2.333'), '/pools.vips.gateway.0'],
    [lines.replace('kind: Lock', 'kind: Lok'), '/kind'],
    ['a: [', '/'],
    ['', '/'],
    [`${lines}---\n${lines}`, '/'],
  ] as const) {
    const { allocations: none, findings } = readBack(text);
    assert.deepEqual(none, { pools: {}, nodePorts: {} });
    assert.deepEqual(
      findings.map(({ code, path }) => `${code}/${(path ?? []).join('.')}`),
      [`CW-LOCK-INVALID${place}`],
    );
  }
});

test('the lock of the top directory is read, another one is a finding', () => {
  const files = everything.map((text, index) => ({ path: `${index}.yaml`, text }));
  const lock = { path: 'causeway.lock.yaml', text: formatLock(allocations) };
  const other = { path: 'sub/causeway.lock.yaml', text: formatLock(allocations) };
  assert.deepEqual(loadFiles([...files, lock]).allocations, allocations);
  assert.deepEqual(loadFiles([...files, lock]).findings, []);
  const misplaced = loadFiles([...files, other]);
  assert.deepEqual(misplaced.allocations, { pools: {}, nodePorts: {} });
  assert.deepEqual(
    misplaced.findings.map(({ code, position }) => `${code} ${position?.file}`),
    ['CW-LOCK-INVALID sub/causeway.lock.yaml'],
  );
});
