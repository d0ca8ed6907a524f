// All that rules about workers read from settings, as one text: the same text, the same verdict.
import type { Effective } from '../settings/effective.ts';

export function valuesOf(e: Effective): string {
  const way = `${e.exposeStrategy} ${e.entry} ${e.route} ${e.agent} ${e.egressMode} ${e.keepalive} ${e.idleTimeout}`;
  const networks = `${e.ipFamily} ${e.pods} ${e.services} ${e.nodeLocalDNS} ${e.agentIP} ${e.allowedSourceRanges}`;
  const proxy = `${e.proxy?.from} ${e.proxy?.https} ${e.proxy?.connectPorts} ${e.noProxy}`;
  return `${way} ${networks} ${proxy} ${e.registry?.host} ${e.registry?.binaries} ${e.registry?.packages}`;
}
