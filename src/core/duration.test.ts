import assert from 'node:assert/strict';
import { it } from 'node:test';
import { durationMs } from './duration.ts';

it('reads one or several amounts with their units', () => {
  const known = {
    '250ms': 250,
    '30s': 30_000,
    '5m': 300_000,
    '1h': 3_600_000,
    '1h30m': 5_400_000,
    '720h': 2_592_000_000,
  };
  for (const [text, expected] of Object.entries(known)) assert.equal(durationMs(text), expected, text);
});

it('knows no duration without unit, of nothing, with a sign, or with anything else in it', () => {
  for (const text of ['', '5', '0s', '-5s', '5 s', '5s ', '1.5h', '5d', 'm', '1000000s']) {
    assert.equal(durationMs(text), undefined, text);
  }
});
