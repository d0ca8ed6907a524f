// Events in the order of their numbers, which rise by one: what is missing at either end can be asked for.
import type { ApiEvent } from '../../api/types.ts';
import { hasWords } from '../../components/data-table/local-page.ts';

/** Joins two runs of events; what is in both stays once. */
export function merged(known: readonly ApiEvent[], more: readonly ApiEvent[]): ApiEvent[] {
  const byId = new Map([...known, ...more].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/** What to ask `after` for the events before these; undefined where there are none. */
export function beforeThese(known: readonly ApiEvent[], limit: number): number | undefined {
  const first = known[0]?.id ?? 1;
  return first <= 1 ? undefined : Math.max(0, first - 1 - limit);
}

export interface Wanted {
  readonly words: string;
  readonly kind: string;
  readonly level: string;
}

export const fits = ({ kind, level, subject, message }: ApiEvent, wanted: Wanted): boolean =>
  (wanted.kind === '' || wanted.kind === kind) &&
  (wanted.level === '' || wanted.level === level) &&
  hasWords(`${subject} ${message}`, wanted.words);

/** The cluster that an event is about: Cluster/shop, component/cluster/shop/etcd, component/worker/shop/… */
export const clusterOf = (subject: string): string | undefined =>
  /^(?:Cluster|(?:component\/)?(?:cluster|worker))\/([^/]+)/.exec(subject)?.[1];
