// Changes of the view and events of the history, in order, from where a client left off.
import type { Platform } from '../../platform/view.ts';
import type { Outlet } from './event-stream.ts';

const batch = 200;

/** Events are read from the history when there are new ones, so that none is lost and none waits in memory. */
export async function pumpEvents(platform: Platform, outlet: Outlet, after: number | undefined): Promise<void> {
  let last = after ?? newestEvent(platform);
  let changed = true;
  const stopChanges = platform.onChange(() => {
    changed = true;
    outlet.wake();
  });
  const stopEvents = platform.onEvent(() => outlet.wake());
  try {
    do {
      last = await sendAfter(platform, outlet, last);
      if (changed) {
        changed = false;
        await outlet.send({ event: 'change', data: '{}' });
      }
    } while (await outlet.wait());
  } finally {
    stopChanges();
    stopEvents();
  }
}

async function sendAfter(platform: Platform, outlet: Outlet, after: number): Promise<number> {
  let last = after;
  for (;;) {
    const events = platform.events({ after: last, limit: batch });
    for (const event of events) {
      await outlet.send({ event: 'event', id: String(event.id), data: JSON.stringify(event) });
      last = event.id;
    }
    if (events.length < batch) return last;
  }
}

export const newestEvent = (platform: Platform): number => platform.events({ limit: 1 }).at(-1)?.id ?? 0;
