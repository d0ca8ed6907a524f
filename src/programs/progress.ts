// What a person sees while a program is fetched or built: one line that rewrites itself on a terminal, plain lines elsewhere.
import { duration } from '../core/amounts.ts';
import { fitLine } from '../core/fit-line.ts';

export interface Progress {
  /** Nobody listens; finding something to say may be left out. */
  quiet?: boolean;
  /** What is being done to what, and how far it is. */
  step(subject: string, stage: string, detail?: string): void;
  /** A sentence that stays. */
  note(sentence: string): void;
  /** Nothing goes on any more. */
  rest(): void;
}

export const silent: Progress = { quiet: true, step: () => {}, note: () => {}, rest: () => {} };

interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Terminal or plain, whichever the output is. */
export const progressTo = (output: Output, env: NodeJS.ProcessEnv = process.env): Progress =>
  output.isTTY === true && env.CI !== 'true' && env.TERM !== 'dumb' ? terminalProgress(output) : plainProgress(output);

interface Step {
  subject: string;
  stage: string;
  detail: string;
  /** When its stage began. */
  since: number;
}

const lineOf = ({ subject, stage, detail, since }: Step): string =>
  `causeway: ${subject}: ${stage}${detail && `, ${detail}`}, ${duration(performance.now() - since)}`;

function following(before: Step | undefined, subject: string, stage: string, detail: string): Step {
  const same = before?.subject === subject && before.stage === stage;
  return { subject, stage, detail, since: same ? before.since : performance.now() };
}

function terminalProgress(output: Output): Progress {
  let now: Step | undefined;
  let clock: NodeJS.Timeout | undefined;
  const erase = (): unknown => output.write('\r\x1b[K');
  const draw = (): unknown => now && output.write(`\r\x1b[K${fitLine(lineOf(now), output.columns)}`);
  return {
    step(subject, stage, detail = '') {
      now = following(now, subject, stage, detail);
      // Ten times a second is as often as a person can read; a compiler names packages far more often.
      clock ??= setInterval(draw, 100).unref();
    },
    note(sentence) {
      erase();
      output.write(`causeway: ${sentence}\n`);
      draw();
    },
    rest() {
      clearInterval(clock);
      if (clock) erase();
      [now, clock] = [undefined, undefined];
    },
  };
}

/** How often a log hears of a stage that goes on. */
const plainInterval = 30_000;

function plainProgress(output: Output): Progress {
  let now: Step | undefined;
  let said = 0;
  const say = (line: string): void => {
    said = performance.now();
    output.write(`${line}\n`);
  };
  return {
    step(subject, stage, detail = '') {
      const before = now;
      now = following(before, subject, stage, detail);
      if (before?.since !== now.since) say(`causeway: ${subject}: ${stage}`);
      else if (performance.now() - said > plainInterval) say(lineOf(now));
    },
    note: (sentence) => say(`causeway: ${sentence}`),
    rest() {
      now = undefined;
    },
  };
}
