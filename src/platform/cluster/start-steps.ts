// What a cluster goes through until it is ready, and how far it is. Pure: everything comes from what is seen anyway.

import { type Observed, stepTypes } from '../../control-plane/index.ts';
import { isTrue, type UntimedCondition, type Verdict } from '../../reconcile/index.ts';
import type { WorkersView } from '../../runtime/platform-runtime.ts';
import type { StartStep } from '../view.ts';

export interface StartFacts {
  /** Of the steps of the control plane that were tried, in their order; the last one may not be True. */
  readonly controlPlane: readonly UntimedCondition[];
  /** Programs of the control plane and of the workers. */
  readonly components: readonly Observed[];
  /** Whether the gateway serves it. */
  readonly gateway: Verdict;
  /** Absent where no workers are played here. */
  readonly workers: WorkersView | undefined;
  /** It will not go on by itself. */
  readonly failed: boolean;
}

interface Progress {
  readonly done: boolean;
  readonly detail?: string | undefined;
}

export function startSteps(facts: StartFacts): StartStep[] {
  const steps: [name: string, title: string, progress: Progress][] = [
    ['certificates', 'Certificates', stepDone(facts, stepTypes.certificates)],
    ['programs', 'Programs of Kubernetes', programs(facts)],
    ['etcd', 'etcd', healthy(facts, ['etcd'])],
    ['api-server', 'API server', healthy(facts, ['kube-apiserver'])],
    ['bootstrap', 'Rules, accounts and endpoints', stepDone(facts, stepTypes.service)],
    ['controllers', 'Controllers and scheduler', healthy(facts, ['kube-controller-manager', 'kube-scheduler'])],
    ['konnectivity', 'Konnectivity server', healthy(facts, ['konnectivity-server'])],
    ['readiness', 'Ready for pods', stepDone(facts, stepTypes.readiness)],
    ['gateway', 'Gateway', { done: isTrue(facts.gateway), detail: facts.gateway.message }],
    ...(facts.workers === undefined ? [] : [workersStep(facts.workers)]),
  ];
  const current = steps.findIndex(([, , { done }]) => !done);
  return steps.map(([name, title, { done, detail }], at) => {
    if (done) return { name, title, state: 'done' };
    if (at !== current) return { name, title, state: 'waiting' };
    const state = facts.failed ? 'failed' : 'active';
    return detail === undefined ? { name, title, state } : { name, title, state, detail };
  });
}

function stepDone({ controlPlane }: StartFacts, type: string): Progress {
  const condition = controlPlane.find((one) => one.type === type);
  return { done: isTrue(condition), detail: (condition ?? controlPlane.at(-1))?.message || undefined };
}

/** Nothing is known about programs that no component has asked for yet. */
function programs({ components }: StartFacts): Progress {
  const missing = components.find(({ phase }) => phase === 'getting' || phase === 'failed');
  return { done: components.length > 0 && missing === undefined, detail: missing?.why };
}

function healthy({ components }: StartFacts, names: readonly string[]): Progress {
  const found = names.map((name) => components.find((one) => one.name === name));
  const sick = found.find((one) => one?.healthy !== true);
  return { done: sick === undefined && !found.includes(undefined), detail: sick?.why };
}

function workersStep({ nodes, nodeAgent, konnectivityAgent, proxy }: WorkersView): [string, string, Progress] {
  const sick = [proxy, nodeAgent, konnectivityAgent, nodes].find((part) => part !== undefined && !isTrue(part));
  const count = `${nodes.ready} of ${nodes.total} nodes are ready`;
  return ['workers', 'Workers', { done: sick === undefined, detail: sick?.message ?? count }];
}
