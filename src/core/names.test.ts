import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { byName, hostProblem, isHost, isWithin, parentOf, tlsCovers } from './names.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const host = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));

describe('host names', () => {
  it('of letters, digits and inner hyphens are accepted', () => {
    fc.assert(fc.property(host, (name) => assert.equal(hostProblem(name), undefined)));
  });

  const refused: [string, RegExp][] = [
    ['', /empty/],
    ['a..b', /two dots/],
    ['a.b.', /ends with a dot/],
    ['Web.example.com', /capital letters in "Web"/],
    ['bücher.example', /punycode/],
    ['-a.example', /"-a"/],
    ['a-.example', /"a-"/],
    ['a_b.example', /"a_b"/],
    ['*.example.com', /"\*"/],
    [`${'a'.repeat(64)}.example`, /label of 64 characters/],
    [Array(64).fill('abc').join('.'), /255 characters, and DNS allows 253; use a shorter/],
  ];
  for (const [name, why] of refused) {
    it(`"${name.slice(0, 20)}" is refused: ${why.source}`, () => assert.match(hostProblem(name) ?? '', why));
  }

  it('may have labels of 63 characters and 253 in all', () => {
    const long = [63, 63, 63, 61].map((length) => 'a'.repeat(length)).join('.');
    assert.equal(long.length, 253);
    assert.ok(isHost(long));
  });
});

describe('a zone', () => {
  it('holds itself and every name below it, and no name that merely ends alike', () => {
    fc.assert(
      fc.property(host, label, (zone, first) => {
        assert.ok(isWithin(zone, zone));
        assert.ok(isWithin(`${first}.${zone}`, zone));
        assert.ok(!isWithin(`${first}${zone}`, zone));
        assert.ok(!isWithin(zone, `${first}.${zone}`));
      }),
    );
  });

  it('is the parent of its direct children', () => {
    fc.assert(fc.property(host, label, (zone, first) => assert.equal(parentOf(`${first}.${zone}`), zone)));
  });
});

describe('a certificate name', () => {
  it('covers itself, and as a wildcard exactly one label', () => {
    fc.assert(
      fc.property(host, label, label, (zone, first, second) => {
        assert.ok(tlsCovers(zone, zone));
        assert.ok(tlsCovers(`*.${zone}`, `${first}.${zone}`));
        assert.ok(!tlsCovers(`*.${zone}`, zone));
        assert.ok(!tlsCovers(`*.${zone}`, `${second}.${first}.${zone}`));
        assert.ok(!tlsCovers(zone, `${first}.${zone}`));
      }),
    );
  });
});

it('names sort the same way whatever order they came in', () => {
  fc.assert(
    fc.property(fc.array(host), (names) => {
      assert.deepEqual([...names].reverse().sort(byName), [...names].sort(byName));
    }),
  );
});
