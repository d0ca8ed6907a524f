// Options that take a duration: a wrong one is refused before the command begins, with what is accepted.
import { Option } from 'commander';
import { durationForm, durationMeant, durationMs, graceMs } from '../core/duration.ts';
import { CausewayError } from '../core/errors.ts';

interface Limits {
  /** 0 is a duration too. */
  readonly zero?: boolean;
  /** The least that makes sense, as in 1s. */
  readonly least?: string;
  /** The longest that is allowed, as in 720h. */
  readonly most?: string;
}

/** The value stays the text that was given; `readDuration` reads it. */
export const durationOption = (flags: string, text: string, limits: Limits = {}): Option =>
  new Option(flags, text).argParser((value: string) => {
    readDuration(flags.split(' ')[0] ?? flags, value, limits);
    return value;
  });

/** Milliseconds. */
export function readDuration(flag: string, text: string, { zero, least, most }: Limits = {}): number {
  const ms = zero ? graceMs(text) : durationMs(text);
  if (ms === undefined) {
    const message = `${flag} "${text.slice(0, 80)}" is not a duration`;
    throw new CausewayError('CW-CLI-DURATION', message, fixOf(text, { zero: zero === true }));
  }
  if (ms < (durationMs(least ?? '') ?? 0)) throw outside(`${flag} ${text} is too short`, `the least is ${least}`);
  if (ms > (durationMs(most ?? '') ?? Number.POSITIVE_INFINITY))
    throw outside(`${flag} ${text} is too long`, `the longest is ${most}`);
  return ms;
}

const outside = (what: string, bound: string): CausewayError =>
  new CausewayError('CW-CLI-DURATION', `${what}: ${bound}`, `Write ${durationForm}.`);

function fixOf(text: string, { zero }: { zero: boolean }): string {
  const meant = durationMeant(text);
  const guess = meant === undefined || meant === text ? '' : `did you mean ${meant}? `;
  return `${guess}Write ${durationForm}${zero ? '; 0 for none' : ''}.`;
}
