// Lists of ports as firewalls write them.

/** Sorted, each once; three or more in a row as first-last. It names exactly these ports. */
export function portRanges(ports: Iterable<number>): (number | string)[] {
  const sorted = [...new Set(ports)].sort((a, b) => a - b);
  const ranges: (number | string)[] = [];
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (sorted[last + 1] === (sorted[last] as number) + 1) last += 1;
    if (last - first < 2) ranges.push(...sorted.slice(first, last + 1));
    else ranges.push(`${sorted[first]}-${sorted[last]}`);
    first = last + 1;
  }
  return ranges;
}
