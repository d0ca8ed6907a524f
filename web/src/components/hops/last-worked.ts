import type { TopologyEdge } from '../../api/types.ts';
import { ago } from '../units.ts';

type Seen = Pick<TopologyEdge, 'lastWorked' | 'healthy' | 'starting'>;

/** Undefined where nobody looks, so that nobody can know. */
export function lastWorkedText({ lastWorked, healthy, starting }: Seen, now: number): string | undefined {
  if (lastWorked === undefined) return healthy === undefined && starting === undefined ? undefined : 'never';
  if (healthy === true) return ago(lastWorked, now);
  return `${ago(lastWorked, now)}, at ${new Date(lastWorked).toLocaleString()}`;
}
