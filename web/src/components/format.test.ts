import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, bytes, count, joinReasons, portText, rate, sentence, span } from './format.ts';

test('bytes are said in the largest unit that fits', () => {
  const said = [0, 1, 999, 1_000, 1_550, 123_456, 5_000_000, 2e17].map(bytes);
  assert.deepEqual(said, ['0 B', '1 B', '999 B', '1.0 kB', '1.6 kB', '123 kB', '5.0 MB', '200 PB']);
  assert.equal(rate(2_500), '2.5 kB/s');
});

test('time is said in the largest unit that fits, and the present is now', () => {
  assert.deepEqual([500, 12_000, 300_000, 7_200_000, 3 * 86_400_000].map(span), ['0 s', '12 s', '5 min', '2 h', '3 d']);
  assert.equal(ago(9_000, 10_000), 'just now');
  assert.equal(ago(0, 65_000), '1 min ago');
});

test('one thing has no plural', () => {
  assert.deepEqual(
    [count(0, 'flow'), count(1, 'flow'), count(10_000, 'entry', 'entries')],
    ['0 flows', '1 flow', '10,000 entries'],
  );
});

test('ports are said with their protocol, and all of them as such', () => {
  const said = [
    { protocol: 'tcp', ports: [6443, '30000-32767'] },
    { protocol: 'udp', ports: [] },
    { protocol: 'any', ports: [] },
  ].map(portText);
  assert.deepEqual(said, ['tcp 6443, 30000-32767', 'udp all ports', 'any protocol, all ports']);
});

test('a message becomes a sentence, once', () => {
  assert.deepEqual(['connection refused', 'Already one.', ''].map(sentence), [
    'Connection refused.',
    'Already one.',
    '.',
  ]);
});

test('reasons of the same kind are said together, and none twice', () => {
  const reasons = [
    'Allow-list: a.example.',
    'Nodes resolve names.',
    'Allow-list: b.example.',
    'Allow-list: a.example.',
  ];
  assert.equal(joinReasons(reasons), 'Allow-list: a.example, b.example. Nodes resolve names.');
});

test('a sentence that begins with a command leaves it as it is typed', () => {
  assert.equal(sentence('causeway programs list shows them'), 'causeway programs list shows them.');
  assert.equal(sentence('causeway is not running'), 'Causeway is not running.');
});
