// What a DNS server answers: the record of the name itself; else, if nothing exists at the name, the wildcard below its
// closest existing ancestor (RFC 4592). A name exists as soon as it or anything below it has a record, even of others.

export interface Zone<Entry> {
  readonly exists: (name: string) => boolean;
  readonly resolve: (name: string) => Entry | undefined;
}

export function zoneOf<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  foreign: readonly string[] = [],
): Zone<Entry> {
  const owners = new Map<string, Entry>();
  const existing = new Set<string>();
  for (const name of foreign) addWithAncestors(existing, name);
  for (const entry of entries) {
    if (!owners.has(entry.name)) owners.set(entry.name, entry);
    addWithAncestors(existing, entry.name);
  }
  const exists = (name: string): boolean => existing.has(name);
  return {
    exists,
    resolve: (name) =>
      owners.get(name) ?? (exists(name) ? undefined : owners.get(`*.${closestEncloser(name, exists)}`)),
  };
}

export const resolve = <Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
): Entry | undefined => zoneOf(entries).resolve(name);

function addWithAncestors(names: Set<string>, name: string): void {
  for (let at: string | undefined = name; at !== undefined && !names.has(at); at = ancestorOf(at)) names.add(at);
}

function closestEncloser(name: string, exists: (name: string) => boolean): string | undefined {
  let at = ancestorOf(name);
  while (at !== undefined && !exists(at)) at = ancestorOf(at);
  return at;
}

function ancestorOf(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(dot + 1);
}
