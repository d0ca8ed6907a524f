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
