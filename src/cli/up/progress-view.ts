// What a person sees while a platform starts and runs: on a terminal a few lines that rewrite themselves, elsewhere one
// line for each thing that happened.

import { duration } from '../../core/amounts.ts';
import { fitLine } from '../../core/fit-line.ts';
import type { Platform, PlatformEvent, PlatformView } from '../../platform/index.ts';
import { printable } from '../../sys/log.ts';

export interface ProgressView {
  /** Stays, above what rewrites itself. */
  say(text: string): void;
  close(): void;
}

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const drawMs = 200;
/** How often a log hears of a program that is still being built. */
const repeatMs = 30_000;

export function progressView(platform: Platform, output: Output, env: NodeJS.ProcessEnv = process.env): ProgressView {
  const rewrites = output.isTTY === true && env.TERM !== 'dumb' && env.CI !== 'true';
  const block = rewrites ? terminalBlock(output) : undefined;
  const redraw = (view: PlatformView): void => block?.show(view.phase === 'running' ? [] : progressLines(view));
  const say = (text: string): void => {
    block?.erase();
    output.write(text);
    // As it is now: what was above may be no longer true.
    if (rewrites) redraw(platform.view());
  };
  const forget = platform.onEvent((event) => {
    if (isWorthALine(event)) say(`${eventLine(event)}\n`);
  });
  const programs = rewrites ? undefined : programLines((text) => output.write(text));
  const tick = (): void => {
    const view = platform.view();
    redraw(view);
    programs?.(view);
  };
  const clock = setInterval(tick, drawMs).unref();
  return {
    say,
    close() {
      clearInterval(clock);
      forget();
      block?.erase();
    },
  };
}

/** Components come and go many times while everything starts; that is what their cluster says. */
const isWorthALine = ({ kind, level }: PlatformEvent): boolean => kind !== 'component' || level !== 'info';

const eventLine = ({ at, level, message }: PlatformEvent): string =>
  `${new Date(at).toTimeString().slice(0, 8)} ${level === 'info' ? '' : `${level}: `}${printable(message)}`;

/** More would not fit on a screen. */
const mostWaiting = 10;

/** One line for each cluster that is not ready, and one for each program that is being got. */
export function progressLines({ clusters, programs, phase }: PlatformView): string[] {
  const waiting = clusters.filter(({ ready }) => !ready);
  if (phase === 'stopping') return ['stopping …'];
  return [
    ...programs.map(({ name, doing, seconds }) => `${name}: ${doing}, ${duration(seconds * 1000)}`),
    ...waiting.slice(0, mostWaiting).map(({ name, reason }) => `${name}: ${reason ?? 'starting'}`),
    ...(waiting.length > mostWaiting ? [`and ${waiting.length - mostWaiting} more`] : []),
    `${clusters.length - waiting.length} of ${clusters.length} clusters are ready`,
  ];
}

function programLines(write: (text: string) => void): (view: PlatformView) => void {
  const said = new Map<string, { doing: string; at: number }>();
  return ({ programs }) => {
    for (const { name, doing, seconds } of programs) {
      const [stage = ''] = doing.split(',');
      const before = said.get(name);
      if (before?.doing === stage && performance.now() - before.at < repeatMs) continue;
      said.set(name, { doing: stage, at: performance.now() });
      write(`${name}: ${doing}, ${duration(seconds * 1000)}\n`);
    }
  };
}

interface Block {
  show(lines: readonly string[]): void;
  erase(): void;
}

function terminalBlock(output: Output): Block {
  let lines: readonly string[] = [];
  const erase = (): void => {
    if (lines.length > 0) output.write(`\x1b[${lines.length}A\x1b[J`);
    lines = [];
  };
  const draw = (): void => {
    for (const line of lines) output.write(`${fitLine(printable(line), output.columns)}\n`);
  };
  return {
    erase,
    show(next) {
      if (next.join('\n') === lines.join('\n')) return;
      erase();
      lines = next;
      draw();
    },
  };
}
