// Turns what is seen again and again into what happened: one event when something becomes healthy, one when it is not
// any more.
import type { Observed } from '../../control-plane/component.ts';
import type { ClusterStatus } from '../view.ts';
import type { NewEvent } from './history.ts';

export interface Transitions {
  seen(clusters: readonly ClusterStatus[], components: readonly Observed[]): NewEvent[];
}

interface Seen {
  readonly healthy: boolean;
  readonly restarts: number;
}

export function createTransitions(): Transitions {
  let clusters = new Map<string, boolean>();
  let components = new Map<string, Seen>();
  return {
    seen(clustersNow, componentsNow) {
      const events = [
        ...clustersNow.flatMap((now) => clusterEvent(clusters.get(now.name), now)),
        ...componentsNow.flatMap((now) => componentEvent(components.get(subjectOf(now)), now)),
      ];
      clusters = new Map(clustersNow.map(({ name, ready }) => [name, ready]));
      components = new Map(componentsNow.map((now) => [subjectOf(now), now]));
      return events;
    },
  };
}

const subjectOf = ({ scope, name }: Observed): string => `component/${scope}/${name}`;

function clusterEvent(before: boolean | undefined, { name, ready, reason }: ClusterStatus): NewEvent[] {
  if ((before ?? false) === ready) return [];
  const subject = `Cluster/${name}`;
  if (ready) return [{ kind: 'cluster', level: 'info', subject, message: `${name} is ready` }];
  const why = reason === undefined ? '' : `: ${reason}`;
  return [{ kind: 'cluster', level: 'warn', subject, message: `${name} is not ready any more${why}` }];
}

function componentEvent(before: Seen | undefined, now: Observed): NewEvent[] {
  const subject = subjectOf(now);
  const event = (level: NewEvent['level'], message: string): NewEvent[] => [
    { kind: 'component', level, subject, message: `${now.name} of ${now.scope} ${message}` },
  ];
  if (now.healthy && before?.healthy === true)
    return now.restarts > before.restarts ? event('warn', 'ended, and was started again') : [];
  if (now.healthy) return event('info', 'is healthy');
  const ended = now.restarts > (before?.restarts ?? 0);
  const failed = before?.healthy === true && (now.phase === 'unhealthy' || now.phase === 'restarting');
  if (!ended && !failed) return [];
  return event('warn', now.why === undefined ? 'is not healthy any more' : `is not healthy: ${now.why}`);
}
