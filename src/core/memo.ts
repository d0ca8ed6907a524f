// Remembers what was computed from an immutable object for as long as that object lives.
// The result is the same with and without it; replanning is fast because unchanged inputs keep their identity.

export function memo<Input extends object, Output>(compute: (input: Input) => Output): (input: Input) => Output {
  const known = new WeakMap<Input, { readonly value: Output }>();
  return (input) => {
    const hit = known.get(input);
    if (hit !== undefined) return hit.value;
    const value = compute(input);
    known.set(input, { value });
    return value;
  };
}

/** Remembers the last result for each anchor, for as long as all parts that it was computed from are the same. */
export function memoLast<Anchor extends object, Output>(): (
  anchor: Anchor,
  parts: readonly unknown[],
  compute: () => Output,
) => Output {
  const known = new WeakMap<Anchor, { readonly parts: readonly unknown[]; readonly value: Output }>();
  return (anchor, parts, compute) => {
    const hit = known.get(anchor);
    if (hit !== undefined && sameParts(hit.parts, parts)) return hit.value;
    const value = compute();
    known.set(anchor, { parts, value });
    return value;
  };
}

function sameParts(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
