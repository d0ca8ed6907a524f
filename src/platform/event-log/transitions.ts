// Turns what is seen again and again into what happened: one event when something becomes healthy, one when it is not
// any more; of very many clusters at once, one for all of them.
import type { Observed } from '../../control-plane/index.ts';
import { memo } from '../../core/memo.ts';
import type { NewEvent } from '../../runtime/platform-runtime.ts';
import type { ClusterStatus } from '../view.ts';

export interface Transitions {
  seen(clusters: readonly ClusterStatus[], components: readonly Observed[]): NewEvent[];
}

type Phase = ClusterStatus['phase'];

interface Seen {
  readonly healthy: boolean;
  readonly restarts: number;
  /** Of the one that worked last. */
  readonly worked?: string | undefined;
  /** Why it is not healthy, as it was told already. */
  readonly told?: string | undefined;
}

export function createTransitions(): Transitions {
  let clusters: ReadonlyMap<string, Phase> = new Map();
  let components = new Map<string, Seen>();
  return {
    seen(clustersNow, componentsNow) {
      const events = [
        ...clusterEvents(clusters, clustersNow),
        ...componentsNow.flatMap((now) => componentEvent(components.get(subjectOf(now)), now)),
      ];
      clusters = phaseByName(clustersNow);
      components = new Map(componentsNow.map((now) => [subjectOf(now), seenOf(components.get(subjectOf(now)), now)]));
      return events;
    },
  };
}

function seenOf(before: Seen | undefined, now: Observed): Seen {
  const { healthy, restarts, version, why } = now;
  if (healthy) return { healthy, restarts, worked: version };
  return { healthy, restarts, worked: before?.worked, told: hasFailed(before, now) ? why : before?.told };
}

/** The same list comes again while nothing happens. */
const phaseByName = memo(
  (clusters: readonly ClusterStatus[]): ReadonlyMap<string, Phase> =>
    new Map(clusters.map(({ name, phase }) => [name, phase])),
);

const subjectOf = ({ scope, name }: Observed): string => `component/${scope}/${name}`;

/** More at once are told in one sentence: a history full of them would have room for nothing else. */
const mostAtOnce = 50;

function clusterEvents(before: ReadonlyMap<string, Phase>, now: readonly ClusterStatus[]): NewEvent[] {
  const turned = now.flatMap((status) => {
    const phase = before.get(status.name) ?? 'starting';
    return phase === status.phase || status.phase === 'starting' ? [] : [{ status, words: wordsOf(phase, status) }];
  });
  const groups = Map.groupBy(turned, ({ words }) => words).values();
  return [...groups].flatMap((group) =>
    group.length <= mostAtOnce ? group.map((turn) => clusterEvent(turn)) : [eventOfMany(group)],
  );
}

interface Turn {
  readonly status: ClusterStatus;
  readonly words: string;
}

function wordsOf(before: Phase, { phase }: ClusterStatus): string {
  if (phase === 'ready') return 'is ready';
  return before === 'ready' ? 'is not ready any more' : 'does not start';
}

function clusterEvent({ status: { name, ready, reason }, words }: Turn): NewEvent {
  const why = ready || reason === undefined ? '' : `: ${reason}`;
  const message = `${name} ${words}${why}`;
  return { kind: 'cluster', level: ready ? 'info' : 'warn', subject: `Cluster/${name}`, message };
}

function eventOfMany(group: readonly Turn[]): NewEvent {
  const [one] = group as readonly [Turn];
  const { level, message } = clusterEvent(one);
  return {
    kind: 'cluster',
    level,
    subject: 'platform',
    message: `${message} (and ${group.length - 1} more clusters with it)`,
  };
}

function componentEvent(before: Seen | undefined, now: Observed): NewEvent[] {
  const subject = subjectOf(now);
  const event = (level: NewEvent['level'], message: string): NewEvent[] => [
    { kind: 'component', level, subject, message: `${now.name} of ${now.scope} ${message}` },
  ];
  if (now.healthy && before?.worked !== undefined && before.worked !== now.version)
    return event('info', `is healthy, with version ${now.version} instead of ${before.worked}`);
  if (now.healthy && before?.healthy === true)
    return now.restarts > before.restarts ? event('warn', 'ended, and was started again') : [];
  if (now.healthy) return event('info', 'is healthy');
  if (!hasFailed(before, now) || (now.why !== undefined && now.why === before?.told)) return [];
  const reasons = [now.why, now.next].filter((text) => text !== undefined).join('; ');
  return event('warn', now.why === undefined ? 'is not healthy any more' : `is not healthy: ${reasons}`);
}

/** It ended, or its probe fails, and that is not how it was. */
function hasFailed(before: Seen | undefined, { phase, restarts }: Observed): boolean {
  const ended = restarts > (before?.restarts ?? 0);
  return phase === 'failed' || ended || (before?.healthy === true && (phase === 'unhealthy' || phase === 'restarting'));
}
