// DNS names as the platform uses them: lower case, no trailing dot, wildcards only as the first label.

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Why `name` cannot be used as a host name, or nothing. */
export function hostProblem(name: string): string | undefined {
  if (name.length === 0) return 'is empty; write a host name';
  if (name.length > 253) return `has ${name.length} characters, and DNS allows 253; use a shorter name`;
  if (/[^\x20-\x7e]/.test(name)) return 'has letters outside ASCII; write its punycode form (xn--…)';
  if (name.endsWith('.')) return 'ends with a dot; leave it out';
  const bad = name.split('.').find((part) => !label.test(part));
  return bad === undefined ? undefined : labelProblem(bad);
}

function labelProblem(part: string): string {
  if (part === '') return 'has an empty label (two dots in a row); leave one of the dots out';
  if (part.length > 63)
    return `has a label of ${part.length} characters, and DNS allows 63; use 63 or fewer between two dots`;
  if (/[A-Z]/.test(part)) return `has capital letters in "${part}"; write it in lower case`;
  return `has "${part}", which is no label; use letters, digits and inner hyphens`;
}

export const isHost = (name: string): boolean => hostProblem(name) === undefined;
export const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1);
/** True when `name` is `zone` or lies below it. */
export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);
/** A certificate wildcard stands for exactly one label (RFC 6125). */
export const tlsCovers = (pattern: string, name: string): boolean =>
  pattern === name || (pattern.startsWith('*.') && name.includes('.') && parentOf(name) === pattern.slice(2));

/** Order for people and for diffs: the zone first, then its children. */
export const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** As Kubernetes names nodes (RFC 1123). */
export const isNodeName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(value);
