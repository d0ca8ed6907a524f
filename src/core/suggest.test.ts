import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { distance, nearest, suggestion } from './suggest.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

describe('edit distance', () => {
  it('is zero for the same word only, and the same in both directions', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        assert.equal(distance(a, b) === 0, a === b);
        assert.equal(distance(a, b), distance(b, a));
      }),
    );
  });

  it('lies between the difference of lengths and the longer length', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        assert.ok(distance(a, b) >= Math.abs(a.length - b.length));
        assert.ok(distance(a, b) <= Math.max(a.length, b.length));
      }),
    );
  });

  it('is one for a letter too many, a wrong letter and two letters swapped', () => {
    fc.assert(
      fc.property(word, word, (before, after) => {
        assert.equal(distance(before + after, `${before}x${after}`), 1);
        assert.equal(distance(`${before}y${after}`, `${before}x${after}`), 1);
        assert.equal(distance(`${before}xy${after}`, `${before}yx${after}`), 1);
      }),
    );
  });

  it('counts what is typed most often wrong', () => {
    assert.equal(distance('kitten', 'sitting'), 3);
    assert.equal(distance('exposeStragety', 'exposeStrategy'), 2);
  });
});

describe('did you mean', () => {
  const fields = ['exposeStrategy', 'network', 'limits', 'proxy'];

  it('finds the word behind a slip', () => {
    assert.equal(nearest('exposestrategy', fields), 'exposeStrategy');
    assert.equal(nearest('netwrok', fields), 'network');
    assert.equal(nearest('limit', fields), 'limits');
  });

  it('says nothing rather than something far away', () => {
    assert.equal(nearest('kubernetes', fields), undefined);
    assert.equal(nearest('proxy', []), undefined);
  });

  it('prefers the nearer of two', () => {
    assert.equal(nearest('seedx', ['seeds', 'seed', 'sex']), 'seeds', 'equally near: the first');
    assert.equal(nearest('networks', ['notworks', 'network', 'networks']), 'networks');
  });

  it('becomes the fix of an error: the word that was meant, else those that there are', () => {
    assert.equal(suggestion('netwrok', fields), 'did you mean network?');
    assert.equal(suggestion('kubernetes', fields), 'there are exposeStrategy, network, limits, proxy');
    assert.equal(suggestion('kubernetes', ['one']), 'there is one');
    assert.equal(suggestion('kubernetes', []), 'there are none');
    const many = Array.from({ length: 25 }, (_, at) => `c${at}`);
    assert.match(suggestion('kubernetes', many), /^there are c0, .*, c19 and 5 more$/);
  });

  it('is a known word, and the word itself if that is known', () => {
    fc.assert(
      fc.property(word, fc.array(word), (asked, known) => {
        const found = nearest(asked, known);
        assert.ok(found === undefined || known.includes(found));
        if (known.includes(asked)) assert.equal(found, asked);
      }),
    );
  });
});
