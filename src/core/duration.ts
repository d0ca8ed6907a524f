// Durations as people write them: 30s, 5m, 1h30m.

const form = /^(?:[1-9]\d{0,5}(?:ms|s|m|h))+$/;
const part = /(\d+)(ms|s|m|h)/g;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** A timer cannot wait longer. */
export const longestTimer = 2 ** 31 - 1;

/** Milliseconds, or nothing if the text is no duration. */
export function durationMs(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(part)) total += Number(amount) * (units[unit ?? ''] ?? 0);
  return total;
}

/** The same where no time at all is an answer too: 0 or 0s. */
export const graceMs = (text: string): number | undefined => (/^0s?$/.test(text) ? 0 : durationMs(text));

/** What is accepted, for errors. */
export const durationForm = 'a number and a unit (ms, s, m or h), also several, as in 30s, 5m or 1h30m';

const longUnits: readonly (readonly [words: RegExp, unit: string, times: number])[] = [
  [/^(ms|msecs?|millis|milliseconds?)$/, 'ms', 1],
  [/^(s|secs?|seconds?)$/, 's', 1],
  [/^(m|mins?|minutes?)$/, 'm', 1],
  [/^(h|hrs?|hours?)$/, 'h', 1],
  [/^(d|days?)$/, 'h', 24],
  [/^(w|weeks?)$/, 'h', 168],
];

/** 8hours → 8h, 2 days → 48h; undefined where it is not clear what is meant. */
export function durationMeant(text: string): string | undefined {
  const amount = /(\d{1,6})\s*([a-z]+)[\s,]*/gi;
  if (text.length > 80 || text.replaceAll(amount, '').trim() !== '') return undefined;
  const parts = [...text.matchAll(amount)].map(([, number, word = '']) => {
    const known = longUnits.find(([words]) => words.test(word.toLowerCase()));
    return known === undefined ? '' : `${Number(number) * known[2]}${known[1]}`;
  });
  return durationMs(parts.join('')) === undefined || parts.includes('') ? undefined : parts.join('');
}
