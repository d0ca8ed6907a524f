// When each part of a way was last seen to work: also before this start, because that is what one asks in the morning.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PlatformHome } from '../control-plane/home.ts';
import { writePrivate } from '../control-plane/private-files.ts';

export interface LastWorked {
  /** When this part was last seen to work, now included (milliseconds). */
  seen(id: string, healthy: boolean | undefined, now: number): number | undefined;
  save(): void;
  /** Writes it down a last time. */
  close(): void;
}

/** Somebody who is killed forgets no more than this. */
const saveMs = 60_000;
/** Parts that nobody has anymore are forgotten. */
const keptMs = 90 * 24 * 3_600_000;

export function openLastWorked({ state }: PlatformHome): LastWorked {
  const file = path.join(state, 'last-worked.json');
  const times = read(file);
  let changed = false;
  let newest = 0;
  const save = (): void => {
    if (!changed) return;
    for (const [id, at] of times) if (newest - at > keptMs) times.delete(id);
    changed = !write(file, times);
  };
  const timer = setInterval(save, saveMs).unref();
  return {
    save,
    seen(id, healthy, now) {
      if (healthy === true) {
        times.set(id, now);
        newest = now;
        changed = true;
      }
      return times.get(id);
    },
    close() {
      clearInterval(timer);
      save();
    },
  };
}

/** Without it, or with one that cannot be read, the page knows less and nothing else is different. */
function read(file: string): Map<string, number> {
  try {
    const found: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    return new Map(Object.entries(found as object).filter(([, at]) => typeof at === 'number'));
  } catch {
    return new Map();
  }
}

function write(file: string, times: ReadonlyMap<string, number>): boolean {
  try {
    writePrivate(file, `${JSON.stringify(Object.fromEntries(times))}\n`);
    return true;
  } catch {
    return false;
  }
}
