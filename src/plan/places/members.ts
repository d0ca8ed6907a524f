// Sets of clusters, as sorted lists of names that flows share.
import { memo, type PlanCache } from '../cache.ts';

export type Members = readonly string[];
export const nobody: Members = [];

/** Union of sets. A single set is handed on as it is, and the same sets give the same union as last time. */
export function membersOfAll(cache: PlanCache, parts: readonly Members[]): Members {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length < 2) return filled[0] ?? nobody;
  const recent = recentUnions(cache, filled[0] as Members);
  const known = recent.find((union) => sameItems(union.parts, filled));
  if (known !== undefined) return known.members;
  const members = merged(filled);
  recent.push({ parts: filled, members });
  if (recent.length > kept) recent.shift();
  return members;
}

/** Halves are merged first, so that a name is looked at as often as the number of sets has digits. */
function merged(parts: readonly Members[]): Members {
  if (parts.length === 1) return parts[0] as Members;
  const middle = parts.length >> 1;
  return mergeTwo(merged(parts.slice(0, middle)), merged(parts.slice(middle)));
}

function mergeTwo(a: Members, b: Members): Members {
  const all: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i] as string, b[j] as string];
    if (left === right) j++;
    else if (left < right) all.push(a[i++] as string);
    else all.push(b[j++] as string);
  }
  while (i < a.length) all.push(a[i++] as string);
  while (j < b.length) all.push(b[j++] as string);
  return all;
}

/** Unions that start with a set. The longest-unused one is forgotten, so that plan after plan nothing piles up. */
const recentUnions = memo((_: Members): { parts: readonly Members[]; members: Members }[] => []);
const kept = 8;

export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a === b || (a.length === b.length && a.every((item, i) => item === b[i]));
