// When each part of a path was last seen to work: also before this start, because that is what one asks in the morning.
import type { PlatformState } from '../runtime/platform-runtime.ts';

export interface LastWorked {
  /** When this part was last seen to work, now included (milliseconds). */
  seen(id: string, healthy: boolean | undefined, now: number): number | undefined;
  /** Seen to work since this process started. */
  hasWorked(id: string): boolean;
  /** Parts that are not there any more are forgotten: one of the same name that comes later has never worked. */
  keepOnly(ids: ReadonlySet<string>): void;
  save(): void;
  /** Writes it down a last time. */
  close(): void;
}

/** Somebody who is killed forgets no more than this. */
const saveMs = 60_000;
type Texts = Pick<PlatformState, 'read' | 'write'>;
const name = 'last-worked';

export function openLastWorked(state: Texts): LastWorked {
  const times = read(state);
  const now = new Set<string>();
  let changed = false;
  const save = (): void => {
    if (changed) changed = !write(state, times);
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
function read(state: Texts): Map<string, number> {
  try {
    const found: unknown = JSON.parse(state.read(name) ?? '{}');
    return new Map(Object.entries(found as object).filter(([, at]) => typeof at === 'number'));
  } catch {
    return new Map();
  }
}

function write(state: Texts, times: ReadonlyMap<string, number>): boolean {
  try {
    state.write(name, `${JSON.stringify(Object.fromEntries(times))}\n`);
    return true;
  } catch {
    return false;
  }
}
