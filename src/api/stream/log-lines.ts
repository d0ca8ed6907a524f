// The log of a component: its last lines, then what follows.
import type { Platform } from '../../platform/view.ts';
import type { Outlet } from './event-stream.ts';

/** Lines that may wait for a slow reader; older ones are left out, and that is said. */
const mostWaiting = 2000;

export interface LogOf {
  readonly scope: string;
  readonly name: string;
  readonly lines: number;
}

export async function pumpLog(platform: Platform, outlet: Outlet, { scope, name, lines }: LogOf): Promise<void> {
  let waiting: string[] = [];
  let leftOut = 0;
  const stop = platform.followLogs(scope, name, (line) => {
    waiting.push(line);
    if (waiting.length > mostWaiting) {
      waiting.shift();
      leftOut++;
    }
    outlet.wake();
  });
  try {
    const tail = await platform.logs(scope, name, lines);
    for (const line of tail) await sendLine(outlet, line);
    waiting = withoutSeen(tail, waiting);
    do {
      const [now, missing] = [waiting, leftOut];
      [waiting, leftOut] = [[], 0];
      if (missing > 0)
        await sendLine(outlet, `… ${missing} lines left out, because they came faster than they were read`);
      for (const line of now) await sendLine(outlet, line);
    } while (waiting.length > 0 || (await outlet.wait()));
  } finally {
    stop();
  }
}

const sendLine = (outlet: Outlet, line: string): Promise<void> => outlet.send({ event: 'line', data: line });

/** What was written while the tail was read may be in both. */
export function withoutSeen(tail: readonly string[], followed: readonly string[]): string[] {
  for (let both = Math.min(tail.length, followed.length); both > 0; both--) {
    if (followed.slice(0, both).every((line, at) => line === tail[tail.length - both + at]))
      return followed.slice(both);
  }
  return [...followed];
}
