// Server-sent events that end with the client, stay alive through proxies, and never wait in memory for a slow reader.

import type { Context } from 'hono';
import { type SSEMessage, streamSSE } from 'hono/streaming';
import type { Platform } from '../platform/index.ts';
import type { Authenticator } from './auth/authenticator.ts';
import { accountOf, type Identity } from './auth/rbac.ts';
import type { ApiEnv } from './context.ts';
import { ApiError } from './problems.ts';

export interface EventSink {
  /** Resolves when the client has taken it. */
  send(message: SSEMessage): Promise<void>;
  /** Until somebody calls `wake`; keeps the connection alive meanwhile. False: the client has gone. */
  wait(): Promise<boolean>;
  wake(): void;
}

export interface Streams {
  /** Ends with the client, and with what the client is known by. */
  open(c: Context<ApiEnv>, pump: (sink: EventSink) => Promise<void>): Response;
}

/** Browsers open few, and each costs memory. Nobody has all of them. */
const mostStreams = 200;
const mostOfOne = 20;

export function createStreams(
  { isLive, onEnded }: Pick<Authenticator, 'isLive' | 'onEnded'>,
  aliveMs = 15_000,
): Streams {
  const openOf = new Map<string, number>();
  let open = 0;
  const count = (account: string, by: 1 | -1): void => {
    open += by;
    const theirs = (openOf.get(account) ?? 0) + by;
    if (theirs === 0) openOf.delete(account);
    else openOf.set(account, theirs);
  };
  return {
    open(c, pump) {
      const who = c.get('identity') as Identity;
      const account = accountOf(who);
      if ((openOf.get(account) ?? 0) >= mostOfOne) throw tooMany(`${mostOfOne} streams of ${account}`);
      if (open >= mostStreams) throw tooMany(`${mostStreams} streams`);
      count(account, 1);
      c.header('x-accel-buffering', 'no');
      return streamSSE(c, async (stream) => {
        const waker = createWaker();
        stream.onAbort(() => waker.end());
        const stopListening = onEnded((id) => id === who.credential && waker.end());
        // One that ends by its age is noticed here.
        const alive = async (): Promise<void> => {
          if (isLive(who)) await stream.write(': alive\n\n');
          else waker.end();
        };
        try {
          await pump({
            send: (message) => (waker.hasEnded() ? Promise.reject(new StreamEnded()) : stream.writeSSE(message)),
            wake: () => waker.wake(),
            wait: () => waitAlive(waker, aliveMs, alive),
          });
        } catch (error) {
          if (!(error instanceof StreamEnded)) throw error;
        } finally {
          stopListening();
          count(account, -1);
        }
      });
    },
  };
}

/** A pump that has much to send does not wait, so it is told here. */
class StreamEnded extends Error {}

const tooMany = (what: string): ApiError =>
  new ApiError(429, 'CW-API-STREAMS', `${what} are open already`, 'close some pages', {
    headers: { 'retry-after': '10' },
  });

interface Waker {
  wake(): void;
  end(): void;
  hasEnded(): boolean;
  /** What woke it. */
  wait(ms: number): Promise<'woken' | 'ended' | 'time'>;
}

function createWaker(): Waker {
  let [woken, ended] = [false, false];
  let tell: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      tell?.();
    },
    end() {
      ended = true;
      tell?.();
    },
    hasEnded: () => ended,
    async wait(ms) {
      if (!woken && !ended)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          tell = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      tell = undefined;
      if (ended) return 'ended';
      const reason = woken ? 'woken' : 'time';
      woken = false;
      return reason;
    },
  };
}

async function waitAlive(waker: Waker, aliveMs: number, alive: () => Promise<void>): Promise<boolean> {
  for (;;) {
    const reason = await waker.wait(aliveMs);
    if (reason !== 'time') return reason === 'woken';
    await alive();
  }
}

// Changes of the view and events of the history, in order, from where a client left off.

const batch = 200;

/** Events are read from the history when there are new ones, so that none is lost and none waits in memory. */
export async function pumpEvents(platform: Platform, sink: EventSink, after: number | undefined): Promise<void> {
  let last = after ?? newestEvent(platform);
  let changed = true;
  const stopChanges = platform.onChange(() => {
    changed = true;
    sink.wake();
  });
  const stopEvents = platform.onEvent(() => sink.wake());
  try {
    do {
      last = await sendAfter(platform, sink, last);
      if (changed) {
        changed = false;
        await sink.send({ event: 'change', data: '{}' });
      }
    } while (await sink.wait());
  } finally {
    stopChanges();
    stopEvents();
  }
}

async function sendAfter(platform: Platform, sink: EventSink, after: number): Promise<number> {
  let last = after;
  for (;;) {
    const events = platform.events({ after: last, limit: batch });
    for (const event of events) {
      await sink.send({ event: 'event', id: String(event.id), data: JSON.stringify(event) });
      last = event.id;
    }
    if (events.length < batch) return last;
  }
}

export const newestEvent = (platform: Platform): number => platform.events({ limit: 1 }).at(-1)?.id ?? 0;

// The log of a component: its last lines, then what follows.

/** Lines that may wait for a slow reader; older ones are left out, and that is said. */
const mostWaiting = 2000;

export interface LogOf {
  readonly scope: string;
  readonly name: string;
  readonly lines: number;
}

export async function pumpLog(platform: Platform, sink: EventSink, { scope, name, lines }: LogOf): Promise<void> {
  let waiting: string[] = [];
  let leftOut = 0;
  const stop = platform.followLogs(scope, name, (line) => {
    waiting.push(line);
    if (waiting.length > mostWaiting) {
      waiting.shift();
      leftOut++;
    }
    sink.wake();
  });
  try {
    const tail = await platform.logs(scope, name, lines);
    for (const line of tail) await sendLine(sink, line);
    waiting = withoutSeen(tail, waiting);
    do {
      const [now, missing] = [waiting, leftOut];
      [waiting, leftOut] = [[], 0];
      if (missing > 0)
        await sendLine(sink, `… ${missing} lines left out, because they came faster than they were read`);
      for (const line of now) await sendLine(sink, line);
    } while (waiting.length > 0 || (await sink.wait()));
  } finally {
    stop();
  }
}

const sendLine = (sink: EventSink, line: string): Promise<void> => sink.send({ event: 'line', data: line });

/** What was written while the tail was read may be in both. */
export function withoutSeen(tail: readonly string[], followed: readonly string[]): string[] {
  for (let both = Math.min(tail.length, followed.length); both > 0; both--) {
    if (followed.slice(0, both).every((line, at) => line === tail[tail.length - both + at]))
      return followed.slice(both);
  }
  return [...followed];
}
