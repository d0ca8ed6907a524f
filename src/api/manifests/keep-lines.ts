// Writes a change into a text without touching what did not change. The change is given as two normal forms of the
// text, before and after; where the normal form has the same lines as the text, each line stands for its original.

/** Comparing every line with every other is worth so much at most. */
const mostComparisons = 4_000_000;

/** `after`, with lines that are in `before` too as `source` has them. */
export function keepLines(source: string, before: string, after: string): string {
  const [original, old, now] = [source.split('\n'), before.split('\n'), after.split('\n')];
  if (original.length !== old.length) return after;
  const head = commonHead(old, now);
  const tail = commonHead(old.slice(head).reverse(), now.slice(head).reverse());
  const [oldMiddle, middle] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const kept = oldMiddle.length * middle.length > mostComparisons ? [] : sameLines(oldMiddle, middle);
  return [
    ...original.slice(0, head),
    ...middle.map((line, at) => original[head + (kept[at] ?? Number.NaN)] ?? line),
    ...original.slice(original.length - tail),
  ].join('\n');
}

function commonHead(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** For each line of `now` the line of `old` that it is; undefined where it is new. */
function sameLines(old: readonly string[], now: readonly string[]): (number | undefined)[] {
  const lengths = commonLengths(old, now);
  const found: (number | undefined)[] = [];
  let at = 0;
  for (let i = 0; i < now.length; i++) {
    while (at < old.length && old[at] !== now[i] && lengthAt(lengths, at + 1, i) >= lengthAt(lengths, at, i + 1)) at++;
    found.push(at < old.length && old[at] === now[i] ? at++ : undefined);
  }
  return found;
}

/** Longest common subsequence of what is left of both, from each pair of places on. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (lengths[i] as Uint16Array)[j] =
        old[i] === now[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
  return lengths;
}

const lengthAt = (lengths: readonly Uint16Array[], i: number, j: number): number => lengths[i]?.[j] ?? 0;
