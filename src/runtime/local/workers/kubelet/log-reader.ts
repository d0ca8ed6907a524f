// Reads a container's log as `kubectl logs` asks for it: the last lines, those since a time, with times, and what follows.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LogQuery {
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Milliseconds. */
  readonly since?: number;
  readonly timestamps: boolean;
  readonly follow: boolean;
}

/** Undefined for numbers that are none. */
export function readLogQuery(query: URLSearchParams, now = Date.now()): LogQuery | undefined {
  const whole = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined);
  const [tailLines, limitBytes, seconds] = [whole('tailLines'), whole('limitBytes'), whole('sinceSeconds')];
  const time = query.has('sinceTime') ? Date.parse(query.get('sinceTime') ?? '') : undefined;
  const since = seconds === undefined ? time : now - seconds * 1000;
  const numbers = [tailLines, limitBytes, since].filter((value) => value !== undefined);
  if (!numbers.every((value) => Number.isInteger(value) && value >= 0)) return undefined;
  return {
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(since === undefined ? {} : { since }),
    timestamps: query.get('timestamps') === 'true',
    follow: query.get('follow') === 'true',
  };
}

const form = /^(\S+) (?:stdout|stderr) ([FP]) ?(.*)$/;

/** Lines of the file as a person sees them. */
export function shownLines(text: string, { since = 0, timestamps }: Pick<LogQuery, 'since' | 'timestamps'>): string[] {
  return text.split('\n').flatMap((line) => {
    const [, time, whole, said = ''] = form.exec(line) ?? [];
    if (time === undefined || Date.parse(time) < since) return [];
    return [`${timestamps ? `${time} ` : ''}${said}${whole === 'F' ? '\n' : ''}`];
  });
}

export async function sendLog(
  file: string,
  query: LogQuery,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const bytes = wholeLines(readFileSync(file));
  const lines = shownLines(bytes.toString(), query);
  const asked = (query.tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - query.tailLines))).join(
    '',
  );
  say(query.limitBytes === undefined ? asked : Buffer.from(asked).subarray(0, query.limitBytes).toString());
  if (query.follow) await sayWhatFollows(file, bytes.length, (more) => say(shownLines(more, query).join('')), signal);
}

const lookEveryMs = 200;

async function sayWhatFollows(
  file: string,
  from: number,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const open = openSync(file, 'r');
  try {
    for (let at = from; !signal.aborted && fstatSync(open).nlink > 0; ) {
      const more = wholeLines(readAt(open, at));
      at += more.length;
      if (more.length > 0) say(more.toString());
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    }
  } finally {
    closeSync(open);
  }
}

function readAt(open: number, at: number): Buffer {
  const buffer = Buffer.alloc(64 * 1024);
  return buffer.subarray(0, readSync(open, buffer, 0, buffer.length, at));
}

/** The rest comes when it is finished. */
const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
