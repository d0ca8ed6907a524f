// Collects flows. What several parts need in the same way becomes one flow with all its clusters.
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
  /** Sorted. @default none, because the platform itself needs it */
  readonly clusters?: readonly string[];
}

export interface FlowList {
  readonly add: (draft: Draft) => void;
  /** In the order in which each was added first. */
  readonly flows: readonly Flow[];
}

export function flowList(): FlowList {
  const flows: Flow[] = [];
  const places = new Map<string, number[]>();
  return {
    flows,
    add: (draft) => {
      const known = places.get(draft.from);
      if (known === undefined) places.set(draft.from, [flows.length]);
      else {
        const same = known.find((index) => isSame(flows[index] as Flow, draft));
        if (same !== undefined) {
          flows[same] = joined(flows[same] as Flow, draft);
          return;
        }
        known.push(flows.length);
      }
      flows.push(flowOf(draft));
    },
  };
}

const flowOf = ({ from, to, protocol = 'tcp', ports, reason, requirement, clusters = [] }: Draft): Flow => ({
  from,
  to,
  protocol,
  ports: [...ports],
  reason,
  requirement,
  clusters: clusters as string[],
});

const isSame = (flow: Flow, draft: Draft): boolean =>
  flow.requirement === draft.requirement &&
  flow.to === draft.to &&
  flow.protocol === (draft.protocol ?? 'tcp') &&
  flow.ports.length === draft.ports.length &&
  flow.ports.every((port, i) => port === draft.ports[i]);

const joined = (flow: Flow, draft: Draft): Flow => ({
  ...flow,
  reason: flow.reason.includes(draft.reason) ? flow.reason : `${flow.reason} ${draft.reason}`,
  clusters: needed(flow.clusters, draft.clusters ?? []) as string[],
});

/** No clusters means that the platform needs it whatever the clusters do, so that prevails. */
function needed(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a === b) return a;
  return a.length === 0 || b.length === 0 ? [] : union(a, b);
}

/** Both sorted and free of duplicates, and so is the result. */
export function union(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a === b || b.length === 0) return a;
  const all: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i] as string, b[j] as string];
    all.push(left <= right ? left : right);
    if (left <= right) i++;
    if (right <= left) j++;
  }
  while (i < a.length) all.push(a[i++] as string);
  while (j < b.length) all.push(b[j++] as string);
  return all;
}
