/** Names and values below each other; what has no value is left out. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string {
  const known = pairs.filter(([, value]) => value !== '');
  const width = Math.max(...known.map(([name]) => name.length), 0);
  return known.map(([name, value]) => `${name.padEnd(width)}   ${value}\n`).join('');
}
