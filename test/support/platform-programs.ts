// The real programs of a platform on this machine.
import type { TestContext } from 'node:test';
import { needReal } from './real-programs.ts';

/** Those of its control planes and demo workers, and kubectl. */
export const needPlatformPrograms = (t: TestContext) =>
  needReal(
    t,
    ...(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const),
    ...(['konnectivity-server', 'konnectivity-agent', 'kwok'] as const),
  );
