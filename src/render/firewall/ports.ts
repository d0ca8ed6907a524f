// Ports and ranges of ports as a set without overlaps, which is what packet filters accept.
import { intervalSet } from '../../core/intervals.ts';

export function mergedPorts(ports: readonly (number | string)[]): string[] {
  const intervals = ports.map((port) => {
    const [first = '', last = first] = String(port).split('-');
    return { first: BigInt(first), last: BigInt(last) };
  });
  return intervalSet(intervals).map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}
