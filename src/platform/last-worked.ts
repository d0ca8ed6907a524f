// When each part of a path was last seen to work: also before this start, because that is what one asks in the morning.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PlatformHome } from '../runtime/local/home.ts';
import { writePrivate } from '../sys/private-files.ts';

export interface LastWorked {
  /** When this part was last seen to work, now included (milliseconds). */
  seen(id: string, healthy: boolean | undefined, now: number): number | undefined;
  /** Seen to work since this process started. */
  hasWorked(id: string): boolean;
  /** PlatformRuntime that are not there any more are forgotten: one of the same name that comes later has never worked. */
  keepOnly(ids: ReadonlySet<string>): void;
  save(): void;
  /** Writes it down a last time. */
  close(): void;
}

/** Somebody who is killed forgets no more than this. */
const saveMs = 60_000;
export function openLastWorked({ state }: PlatformHome): LastWorked {
  const file = path.join(state, 'last-worked.json');
  const times = read(file);
  const now = new Set<string>();
  let changed = false;
  const save = (): void => {
    if (changed) changed = !write(file, times);
  };
  const timer = setInterval(save, saveMs).unref();
  return {
    save,
    seen(id, healthy, at) {
      if (healthy === true) {
        times.set(id, at);
        now.add(id);
        changed = true;
      }
      return times.get(id);
    },
    hasWorked: (id) => now.has(id),
    keepOnly(ids) {
      for (const id of times.keys()) if (!ids.has(id) && times.delete(id)) changed = true;
      for (const id of now) if (!ids.has(id)) now.delete(id);
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
