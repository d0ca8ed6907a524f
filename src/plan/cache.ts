// What one plan leaves for the next. A cache is a value: whoever plans again makes one and passes it in. Definitions below
// are constants without state; results are the same with a cache, with a new one, and with none.

type Table = WeakMap<object, unknown>;

/** Everything that was computed from an object goes when that object goes. */
export interface PlanCache {
  /** By definition. Absent: nothing is kept, not even within a plan. */
  readonly tables: Map<object, Table> | undefined;
}

export const newCache = (): PlanCache => ({ tables: new Map() });

/** Computes everything whenever it is asked for: what tests compare with. */
export const noCache: PlanCache = { tables: undefined };

function tableOf(tables: Map<object, Table> | Table, key: object): Table {
  const known = tables.get(key) as Table | undefined;
  if (known !== undefined) return known;
  const table: Table = new WeakMap();
  tables.set(key, table);
  return table;
}

/** Computed once for each object, for as long as that object lives. */
export function memo<Input extends object, Output>(
  compute: (input: Input, cache: PlanCache) => Output,
): (cache: PlanCache, input: Input) => Output {
  return (cache, input) => {
    if (cache.tables === undefined) return compute(input, cache);
    const table = tableOf(cache.tables, compute);
    const known = table.get(input) as { readonly value: Output } | undefined;
    if (known !== undefined) return known.value;
    const value = compute(input, cache);
    table.set(input, { value });
    return value;
  };
}

/** Like `memo`, for a result that holds for exactly these objects and goes when one of them goes. */
export function memoAll<Inputs extends readonly [object, object, ...object[]], Output>(
  compute: (cache: PlanCache, ...inputs: Inputs) => Output,
): (cache: PlanCache, ...inputs: Inputs) => Output {
  return (cache, ...inputs) => {
    if (cache.tables === undefined) return compute(cache, ...inputs);
    let table = tableOf(cache.tables, compute);
    const last = inputs.length - 1;
    for (let i = 0; i < last; i++) table = tableOf(table, inputs[i] as object);
    const known = table.get(inputs[last] as object) as { readonly value: Output } | undefined;
    if (known !== undefined) return known.value;
    const value = compute(cache, ...inputs);
    table.set(inputs[last] as object, { value });
    return value;
  };
}

/** The last result for each anchor, for as long as all parts that it was computed from are the same. */
export function memoLast<Anchor extends object, Output>(): (
  cache: PlanCache,
  anchor: Anchor,
  parts: readonly unknown[],
  compute: () => Output,
) => Output {
  const kept = slot<Anchor, { readonly parts: readonly unknown[]; readonly value: Output }>();
  return (cache, anchor, parts, compute) => {
    const hit = kept.get(cache, anchor);
    if (hit !== undefined && sameParts(hit.parts, parts)) return hit.value;
    const value = compute();
    kept.set(cache, anchor, { parts, value });
    return value;
  };
}

function sameParts(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export interface Slot<Key extends object, Value> {
  readonly get: (cache: PlanCache, key: Key) => Value | undefined;
  readonly set: (cache: PlanCache, key: Key, value: Value) => void;
}

/** One value for each object, for users that decide themselves whether it still holds. */
export function slot<Key extends object, Value>(): Slot<Key, Value> {
  const definition = {};
  return {
    get: ({ tables }, key) =>
      tables === undefined ? undefined : (tableOf(tables, definition).get(key) as Value | undefined),
    set: ({ tables }, key, value) => {
      if (tables !== undefined) tableOf(tables, definition).set(key, value);
    },
  };
}

/** What is computed from the context of a cluster; each name has one definition. */
const derived = [
  'certificates',
  'dialled',
  'dns-records',
  'egress-source',
  'endpoint',
  'findings',
  'gateway-entry',
  'konnectivity',
  'path',
  'proxies',
  'reachability',
  'targets',
] as const;

/** Holds what was computed from it; absent where nothing is kept. */
export interface WithDerived {
  readonly derived: unknown[] | undefined;
}
export const newDerived = ({ tables }: PlanCache): unknown[] | undefined =>
  tables === undefined ? undefined : new Array(derived.length).fill(undefined);

/** Like `memo`, for objects that there are many of: a look-up is cheap, and the collector has nothing to follow. */
export function memoInside<Input extends WithDerived, Output extends object>(
  name: (typeof derived)[number],
  compute: (input: Input) => Output,
): (input: Input) => Output {
  const at = derived.indexOf(name);
  return (input) => {
    if (input.derived === undefined) return compute(input);
    const known = input.derived[at];
    if (known !== undefined) return known as Output;
    const value = compute(input);
    input.derived[at] = value;
    return value;
  };
}
