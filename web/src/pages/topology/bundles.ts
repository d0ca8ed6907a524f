// Several hops may lead from one node to another; the picture has one line for them, as healthy as the worst of them.
import type { TopologyEdge } from '../../api/types.ts';
import type { HealthState } from '../../components/health.tsx';
import type { Rates } from '../../components/hops/rates.ts';

export interface Bundle {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly hops: readonly TopologyEdge[];
}

const bundleId = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}→${to}`;

export const bundlesOf = (edges: readonly TopologyEdge[]): readonly Bundle[] =>
  [...Map.groupBy(edges, bundleId)].map(([id, hops]) => ({
    id,
    from: hops[0]?.from ?? '',
    to: hops[0]?.to ?? '',
    hops,
  }));

export function healthOfBundle({ hops }: Bundle): HealthState {
  if (hops.some(({ healthy }) => healthy === false)) return 'bad';
  if (hops.some(({ starting }) => starting)) return 'busy';
  return hops.every(({ healthy }) => healthy === true) ? 'good' : 'idle';
}

/** Bytes per second on all its hops, both ways; undefined where nobody counts. */
export function paceOfBundle({ hops }: Bundle, rates: Rates): number | undefined {
  const paces = hops.flatMap(({ id }) => rates.get(id) ?? []);
  return paces.length === 0 ? undefined : paces.reduce((sum, pace) => sum + pace.in + pace.out, 0);
}

/** All ports that its hops need, and no other. */
export const portsOfBundle = ({ hops }: Bundle): readonly string[] => [
  ...new Set(hops.flatMap(({ ports }) => ports.map(String))),
];
