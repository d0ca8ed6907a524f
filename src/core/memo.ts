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
