// Options that take a duration: a wrong one is refused before the command begins, with what is accepted.
import { Option } from 'commander';
import { durationForm, durationMeant, durationMs, graceMs } from '../core/duration.ts';
import { CausewayError } from '../core/errors.ts';

interface Limits {
  /** 0 is a duration too. */
  readonly zero?: boolean;
  /** The least that makes sense, as in 1s. */
  readonly least?: string;
}

/** The value stays the text that was given; `readDuration` reads it. */
export const durationOption = (flags: string, text: string, limits: Limits = {}): Option =>
  new Option(flags, text).argParser((value: string) => {
    readDuration(flags.split(' ')[0] ?? flags, value, limits);
    return value;
  });

/** Milliseconds. */
export function readDuration(flag: string, text: string, { zero, least }: Limits = {}): number {
  const ms = zero ? graceMs(text) : durationMs(text);
  const leastMs = durationMs(least ?? '') ?? 0;
  if (ms !== undefined && ms >= leastMs) return ms;
  throw new CausewayError('CW-CLI-DURATION', problemOf(flag, text, ms, least), fixOf(text, { zero: zero === true }));
}

const problemOf = (flag: string, text: string, ms: number | undefined, least = ''): string =>
  ms === undefined
    ? `${flag} "${text.slice(0, 80)}" is not a duration`
    : `${flag} ${text} is too short: the least is ${least}`;

function fixOf(text: string, { zero }: { zero: boolean }): string {
  const meant = durationMeant(text);
  const guess = meant === undefined || meant === text ? '' : `did you mean ${meant}? `;
  return `${guess}Write ${durationForm}${zero ? '; 0 for none' : ''}.`;
}
