import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resolve, zoneOf } from './encloser.ts';

const owners = (names: readonly string[]) => names.map((name) => ({ name }));
const answer = (names: readonly string[], name: string): string | undefined => resolve(owners(names), name)?.name;

describe('a name', () => {
  it('is answered by its own record before any wildcard', () => {
    assert.equal(answer(['*.example.com', 'a.example.com'], 'a.example.com'), 'a.example.com');
  });

  it('is answered by a wildcard at any depth below', () => {
    assert.equal(answer(['*.example.com'], 'a.b.c.example.com'), '*.example.com');
  });

  it('is not answered by a wildcard for the domain itself', () => {
    assert.equal(answer(['*.example.com'], 'example.com'), undefined);
  });

  it('is hidden from the wildcard by a record between them', () => {
    assert.equal(answer(['*.example.com', 'b.example.com'], 'a.b.example.com'), undefined);
  });

  it('is hidden from the wildcard by a name that exists only because something lies below it', () => {
    const names = ['*.example.com', 'x.b.example.com'];
    assert.equal(answer(names, 'b.example.com'), undefined);
    assert.equal(answer(names, 'a.b.example.com'), undefined);
    assert.equal(answer(names, 'c.example.com'), '*.example.com');
  });

  it('is answered by the nearest of two wildcards, and by no other', () => {
    const names = ['*.example.com', '*.west.example.com'];
    assert.equal(answer(names, 'web.west.example.com'), '*.west.example.com');
    assert.equal(answer(names, 'west.example.com'), undefined);
  });

  it('of somebody else hides like a name of ours, and answers nothing', () => {
    const { resolve: ask } = zoneOf(owners(['*.example.com']), ['b.example.com']);
    assert.equal(ask('b.example.com'), undefined);
    assert.equal(ask('a.b.example.com'), undefined);
    assert.equal(ask('c.example.com')?.name, '*.example.com');
  });
});

/** The rule read word by word, over all names: slow, and obviously so. */
function oracle(names: readonly string[], name: string): string | undefined {
  const exists = (node: string): boolean => names.some((owner) => owner === node || owner.endsWith(`.${node}`));
  if (exists(name)) return names.find((owner) => owner === name);
  const labels = name.split('.');
  const ancestors = labels.map((_, i) => labels.slice(i).join('.')).slice(1);
  const encloser = ancestors.find(exists);
  return names.find((owner) => owner === `*.${encloser}`);
}

it('answers as the closest-encloser rule read word by word', () => {
  const label = fc.constantFrom('a', 'b', 'c', '*');
  const name = fc.array(label, { maxLength: 4 }).map((labels) => [...labels, 'example', 'com'].join('.'));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), name, (names, asked) => {
      assert.equal(answer(names, asked), oracle(names, asked));
    }),
    { numRuns: 2000 },
  );
});
