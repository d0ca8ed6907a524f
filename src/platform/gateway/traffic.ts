// The gateway's series, as figures per cluster and service.
import { getOrAdd } from '../../core/collections.ts';
import type { Service } from '../../gateway/index.ts';
import type { Traffic } from '../view.ts';

export const noTraffic: Traffic = { open: 0, accepted: 0, refused: 0, bytesIn: 0, bytesOut: 0 };

export interface ClusterTraffic extends Readonly<Record<Service, Traffic>> {
  readonly all: Traffic;
}

const figures: Readonly<Record<string, keyof Traffic>> = {
  open: 'open',
  connections: 'accepted',
  refusals: 'refused',
  sent: 'bytesIn',
  received: 'bytesOut',
};

export function trafficOf(series: ReadonlyMap<string, number>): Map<string, ClusterTraffic> {
  const sums = new Map<string, Record<Service | 'all', Record<keyof Traffic, number>>>();
  for (const [name, value] of series) {
    const [what = '', cluster = '', service = ''] = name.split(' ');
    const figure = figures[what];
    if (figure === undefined || cluster === '') continue;
    const sum = getOrAdd(sums, cluster, () => ({
      all: { ...noTraffic },
      apiServer: { ...noTraffic },
      konnectivity: { ...noTraffic },
    }));
    sum.all[figure] += value;
    if (service === 'apiServer' || service === 'konnectivity') sum[service][figure] += value;
  }
  return sums;
}
