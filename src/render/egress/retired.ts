// What older lists name and nothing asks for any more. A host that something else still needs must stay open.
import { isWithin } from '../../core/names.ts';
import type { EgressEntry, Plan } from '../../plan/schema/index.ts';

export interface Retired {
  /** No active entry names these hosts: they may be closed. */
  readonly closable: readonly EgressEntry[];
  /** Only this use of the host ended. */
  readonly stillOpen: readonly EgressEntry[];
}

export function retiredEntries(plan: Plan): Retired {
  const active = plan.egress.entries.filter((entry) => entry.status === 'active').map((entry) => entry.host);
  const hosts = new Set(active);
  const suffixes = [...hosts].filter((host) => host.startsWith('*.')).map((host) => host.slice(2));
  const isOpen = ({ host }: EgressEntry): boolean =>
    hosts.has(host) || suffixes.some((suffix) => isWithin(host.replace(/^\*\./, ''), suffix));
  const retired = plan.egress.entries.filter((entry) => entry.status === 'retired');
  return { closable: retired.filter((entry) => !isOpen(entry)), stillOpen: retired.filter(isOpen) };
}
