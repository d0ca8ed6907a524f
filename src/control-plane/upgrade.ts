// A change of Kubernetes' version in the order that its skew rules ask for: the store stays, the API server goes first,
// and only when it answers do its clients follow.
import type { ComponentSpec } from './component.ts';

export type Stage = 'store' | 'api-server' | 'all';

/** They must never be newer than the API server. */
const followers: readonly string[] = ['kube-controller-manager', 'kube-scheduler'];

export function specsOf(
  stage: Stage,
  wanted: readonly ComponentSpec[],
  running: readonly ComponentSpec[],
): readonly ComponentSpec[] {
  if (stage === 'all') return wanted;
  // What runs goes on; after a restart nothing does, and the store alone is enough to be saved.
  if (stage === 'store') return running.length > 0 ? running : wanted.filter(({ name }) => name === 'etcd');
  const isFollower = ({ name }: ComponentSpec): boolean => followers.includes(name);
  return [...wanted.filter((spec) => !isFollower(spec)), ...running.filter(isFollower)];
}
