// A worker's figures as series that can be added up, and only those that changed since they were last told.
import type { GatewayCounters } from '../dataplane/counters.ts';
import type { Counters } from './totals.ts';

export function seriesOf({ clusters, refusals, halfOpen }: GatewayCounters): Counters {
  const series: Record<string, number> = { 'half-open': halfOpen };
  for (const cluster in clusters)
    for (const [service, counted] of Object.entries(clusters[cluster] ?? {})) {
      const { connections, open, sent, received } = counted;
      series[`connections ${cluster} ${service}`] = connections;
      series[`open ${cluster} ${service}`] = open;
      series[`sent ${cluster} ${service}`] = sent;
      series[`received ${cluster} ${service}`] = received;
      for (const [reason, count] of Object.entries(counted.refusals))
        series[`refusals ${cluster} ${service}  ${reason}`] = count;
    }
  for (const [listener, reasons] of Object.entries(refusals))
    for (const [reason, count] of Object.entries(reasons)) series[`refusals   ${listener} ${reason}`] = count;
  return series;
}

/** Remembers what was told. A series that is new is told even when it is 0. */
export class ChangedSeries {
  #told: Counters = {};

  since(now: Counters): Counters {
    const changed: Record<string, number> = {};
    for (const name in now) if (this.#told[name] !== now[name]) changed[name] = now[name] ?? 0;
    // What is not counted any more is not open any more either.
    for (const name in this.#told) if (name.startsWith('open ') && !(name in now)) changed[name] = 0;
    this.#told = now;
    return changed;
  }
}
