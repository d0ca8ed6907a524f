// A change of Kubernetes' version in the order that its skew rules ask for: the store stays, the API server goes first,
// and only when it answers do its clients follow, one at a time.
import { type ComponentSpec, versionOf } from './component.ts';

/** They must never be newer than the API server. */
const followers: readonly string[] = ['kube-controller-manager', 'kube-scheduler'];
const isFollower = ({ name }: ComponentSpec): boolean => followers.includes(name);

/** What runs goes on; after a restart nothing does, and the store alone is enough to be saved. */
export const whileSaved = (wanted: readonly ComponentSpec[], running: readonly ComponentSpec[]) =>
  running.length > 0 ? running : wanted.filter(({ name }) => name === 'etcd');

export const apiServerFirst = (wanted: readonly ComponentSpec[], running: readonly ComponentSpec[]) => [
  ...wanted.filter((spec) => !isFollower(spec)),
  ...running.filter(isFollower),
];

/** A follower keeps its version until those before it have theirs; `isThere` tells who has. */
export function oneByOne(
  wanted: readonly ComponentSpec[],
  running: readonly ComponentSpec[],
  isThere: (spec: ComponentSpec) => boolean,
): readonly ComponentSpec[] {
  const next = wanted.find((spec) => isFollower(spec) && !isThere(spec));
  return wanted.map((spec) => {
    const before = running.find(({ name }) => name === spec.name);
    const stays = isFollower(spec) && spec !== next && before !== undefined && !sameVersion(before, spec);
    return stays ? before : spec;
  });
}

const sameVersion = (a: ComponentSpec, b: ComponentSpec): boolean => versionOf(a.program) === versionOf(b.program);
