// Server-sent events that end with the client, stay alive through proxies, and never wait in memory for a slow reader.
import type { Context } from 'hono';
import { type SSEMessage, streamSSE } from 'hono/streaming';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';

export interface Outlet {
  /** Resolves when the client has taken it. */
  send(message: SSEMessage): Promise<void>;
  /** Until somebody calls `wake`; keeps the connection alive meanwhile. False: the client has gone. */
  wait(): Promise<boolean>;
  wake(): void;
}

export interface Streams {
  open(c: Context<ApiEnv>, pump: (outlet: Outlet) => Promise<void>): Response;
}

/** Browsers open few, and each costs memory. */
const mostStreams = 200;

export function createStreams(aliveMs = 15_000): Streams {
  let open = 0;
  return {
    open(c, pump) {
      if (open >= mostStreams) throw tooMany;
      open++;
      c.header('x-accel-buffering', 'no');
      return streamSSE(c, async (stream) => {
        const waker = createWaker();
        stream.onAbort(() => waker.end());
        try {
          await pump({
            send: (message) => stream.writeSSE(message),
            wake: () => waker.wake(),
            wait: () => waitAlive(waker, aliveMs, async () => void (await stream.write(': alive\n\n'))),
          });
        } finally {
          open--;
        }
      });
    },
  };
}

const tooMany = new ApiError(429, 'CW-API-STREAMS', `${mostStreams} streams are open already`, 'close some pages', {
  headers: { 'retry-after': '10' },
});

interface Waker {
  wake(): void;
  end(): void;
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
