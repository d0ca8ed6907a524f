// An opening as a box: from these addresses, to those, on these ports. What is left of one after others is boxes again.
import { type Interval, intersect, subtract } from '../../core/intervals.ts';

type Side = 'from' | 'to' | 'ports';

export interface Box extends Readonly<Record<Side, Interval>> {
  /** Only boxes of the same kind (address families or names at both ends, protocol) can overlap. */
  readonly kind: string;
}

const sides: readonly Side[] = ['from', 'to', 'ports'];

/** Cut side by side: what sticks out on one side is kept whole, the rest goes on to the next side. */
export function cut(box: Box, hole: Box): Box[] {
  if (sides.some((side) => intersect([box[side]], [hole[side]]).length === 0)) return [box];
  const left: Box[] = [];
  let rest = box;
  for (const side of sides) {
    for (const part of subtract([rest[side]], [hole[side]])) left.push({ ...rest, [side]: part });
    const [common = rest[side]] = intersect([rest[side]], [hole[side]]);
    rest = { ...rest, [side]: common };
  }
  return left;
}

export type Holes = ReadonlyMap<string, readonly Box[]>;
export const holesOf = (boxes: readonly Box[]): Holes => Map.groupBy(boxes, ({ kind }) => kind);

export const without = (box: Box, holes: Holes): Box[] =>
  (holes.get(box.kind) ?? []).reduce<Box[]>((left, hole) => left.flatMap((part) => cut(part, hole)), [box]);
