import assert from 'node:assert/strict';
import { it } from 'node:test';
import { durationMeant, durationMs } from './duration.ts';

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

it('knows what is meant by longer words, days and spaces, and nothing where it is not clear', () => {
  const meant = {
    '8hours': '8h',
    '2 days': '48h',
    '1 h 30 min': '1h30m',
    '90 Seconds': '90s',
    '1w': '168h',
    '5m': '5m',
  };
  for (const [text, expected] of Object.entries(meant)) assert.equal(durationMeant(text), expected, text);
  for (const text of ['', '5', 'soon', '5 parsecs', '1.5h', '-5s', '0s'])
    assert.equal(durationMeant(text), undefined, text);
});
