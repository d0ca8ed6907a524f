// "Did you mean": the nearest known word, if it is near enough to be a slip of the keyboard.

export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const d = distance(word.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  return best;
}

/** Edit distance in which two swapped neighbours cost one (optimal string alignment). */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let d = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d = Math.min(d, (beforeLast[j - 2] ?? 0) + 1);
      row[j] = d;
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? a.length;
}

/** More would hide what is said. */
const mostNamed = 20;

/** For the fix of an error: the name that was probably meant, else those that there are. */
export function suggestion(word: string, known: readonly string[], none = 'there are none'): string {
  const guess = nearest(word.slice(0, 80), known);
  if (guess !== undefined) return `did you mean ${guess}?`;
  if (known.length === 0) return none;
  const more = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : '';
  return `there ${known.length === 1 ? 'is' : 'are'} ${known.slice(0, mostNamed).join(', ')}${more}`;
}
