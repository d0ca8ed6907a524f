// Random texts that stand for somebody: sessions, bearer tokens, one-time tokens. Bounded in number and age.
// Only hashes are kept, so what leaks from memory opens nothing, and looking one up tells nothing by its time.
import { hash, randomBytes } from 'node:crypto';

export interface SecretStoreOptions {
  readonly now: () => number;
  /** The oldest goes when there is one more. */
  readonly most: number;
  readonly ageMs: number;
  /** Forgotten when it was not used for so long. @default never */
  readonly idleMs?: number;
}

export interface SecretStore<Value> {
  add(value: Value, ageMs?: number): string;
  find(secret: string): Value | undefined;
  /** The value, once. */
  take(secret: string): Value | undefined;
  remove(secret: string): void;
  readonly size: number;
}

interface Kept<Value> {
  readonly value: Value;
  readonly ends: number;
  used: number;
}

/** Nothing we give out is longer. */
const longest = 200;

export function createSecretStore<Value>({ now, most, ageMs, idleMs }: SecretStoreOptions): SecretStore<Value> {
  const kept = new Map<string, Kept<Value>>();
  const isOver = ({ ends, used }: Kept<Value>): boolean =>
    now() >= ends || (idleMs !== undefined && now() >= used + idleMs);
  const makeRoom = (): void => {
    for (const [key, one] of kept) if (isOver(one)) kept.delete(key);
    for (const key of kept.keys()) if (kept.size >= most) kept.delete(key);
  };
  const look = (key: string): Value | undefined => {
    const found = kept.get(key);
    if (found === undefined) return undefined;
    if (isOver(found)) {
      kept.delete(key);
      return undefined;
    }
    found.used = now();
    return found.value;
  };
  return {
    add(value, ownAgeMs = ageMs) {
      makeRoom();
      const secret = randomBytes(32).toString('base64url');
      kept.set(keyOf(secret), { value, ends: now() + Math.min(ownAgeMs, ageMs), used: now() });
      return secret;
    },
    find: (secret) => look(keyOf(secret)),
    take(secret) {
      const key = keyOf(secret);
      const value = look(key);
      kept.delete(key);
      return value;
    },
    remove: (secret) => void kept.delete(keyOf(secret)),
    get size() {
      return kept.size;
    },
  };
}

export const keyOf = (secret: string): string => hash('sha256', secret.slice(0, longest), 'base64url');
