// Collects flows. What several parts need in the same way becomes one flow with all its clusters.
import { getOrAdd } from '../../core/collections.ts';
import type { PlanCache } from '../cache.ts';
import { type Members, membersOfAll, nobody } from '../places/members.ts';
import type { Flow } from '../schema/index.ts';

export interface Draft {
  readonly from: string;
  readonly to: string;
  /** @default tcp */
  readonly protocol?: Flow['protocol'];
  /** Empty: all. */
  readonly ports: readonly (number | string)[];
  readonly reason: string;
  readonly requirement: string;
  /** Clusters that need it, perhaps none yet. Absent: the platform itself needs it, whatever the clusters do. */
  readonly members?: Members | undefined;
}

export interface FlowList {
  readonly add: (draft: Draft) => void;
  /** In the order in which each was added first. */
  readonly finish: () => Flow[];
}

/** A flow and the further drafts that turned out to be the same flow. */
interface Open {
  readonly draft: Draft;
  readonly same: Draft[];
}

export function flowList(cache: PlanCache): FlowList {
  const all: Open[] = [];
  // Looked up by its ends: comparing with the few flows between them is cheaper than spelling out a key.
  const byEnds = new Map<string, Map<string, Open[]>>();
  const newEnds = (): Map<string, Open[]> => new Map();
  const newFlows = (): Open[] => [];
  return {
    add: (draft) => {
      const between = getOrAdd(getOrAdd(byEnds, draft.from, newEnds), draft.to, newFlows);
      const known = between.find((open) => isSame(open.draft, draft));
      if (known !== undefined) {
        known.same.push(draft);
        return;
      }
      const open = { draft, same: [] };
      between.push(open);
      all.push(open);
    },
    finish: () => all.map((open) => flowOf(cache, open)),
  };
}

function flowOf(cache: PlanCache, { draft, same }: Open): Flow {
  const { from, to, protocol = 'tcp', ports, requirement } = draft;
  const drafts = same.length === 0 ? undefined : [draft, ...same];
  const reason = drafts === undefined ? draft.reason : [...new Set(drafts.map((d) => d.reason))].join(' ');
  const members = drafts === undefined ? (draft.members ?? nobody) : neededBy(cache, drafts);
  return {
    from,
    to,
    protocol,
    ports: ports as Flow['ports'],
    reason,
    requirement,
    clusters: members as Flow['clusters'],
  };
}

/** What the platform itself needs does not go away with the clusters that need it too. */
function neededBy(cache: PlanCache, drafts: readonly Draft[]): Members {
  const sets = new Set(drafts.map((draft) => draft.members));
  return sets.has(undefined)
    ? nobody
    : membersOfAll(
        cache,
        [...sets].filter((members) => members !== undefined),
      );
}

export const isSame = (a: Draft, b: Draft): boolean =>
  a.from === b.from &&
  a.to === b.to &&
  a.requirement === b.requirement &&
  (a.protocol ?? 'tcp') === (b.protocol ?? 'tcp') &&
  a.ports.length === b.ports.length &&
  a.ports.every((port, i) => port === b.ports[i]);
