// One cluster whose control plane this machine runs, with the worker side that it may play too: what is observed of both.
import type { NodeKind, ObservedNodes } from '../../control-plane/index.ts';
import { isTrue, type ReconcileState, type Verdict, verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import type { ControlPlane, WorkerSide, WorkersView } from '../../runtime/platform-runtime.ts';

export interface HostedClusterOptions {
  readonly controlPlane: ControlPlane;
  /** Whose nodes it has here; nodes of another kind are removed. */
  readonly kind: NodeKind | 'none';
  /** Absent where no workers are wanted here. */
  readonly workers?: WorkerSide;
  /** What came of the last attempts. */
  state(of: 'controlPlane' | 'workers'): ReconcileState;
}

export class HostedCluster {
  readonly controlPlane: ControlPlane;
  readonly workers: WorkerSide | undefined;
  readonly #state: HostedClusterOptions['state'];

  constructor({ controlPlane, kind, workers, state }: HostedClusterOptions) {
    this.controlPlane = controlPlane;
    this.workers = workers;
    this.#state = state;
    controlPlane.desireNodes(kind);
  }

  /** The control plane alone. */
  controlPlaneReady(): Verdict {
    return this.#state('controlPlane').failure ?? this.controlPlane.observe().ready;
  }

  /** Its desired state was refused, and stays so until it is another one. */
  get isRefused(): boolean {
    return this.#state('controlPlane').failure !== undefined;
  }

  /** As its API server has them. */
  observedNodes(): ObservedNodes | undefined {
    return this.controlPlane.observe().nodes;
  }

  /** Undefined where it has none here. */
  observedWorkers(): WorkersView | undefined {
    return this.workers?.look();
  }

  /** The worker side, as far as it is played here. */
  workersReady(): Verdict {
    const seen = this.observedWorkers();
    const registered = registeredVerdict(this.observedNodes(), seen);
    if (seen === undefined) return registered;
    const { failure } = this.#state('workers');
    if (failure !== undefined) return failure;
    const { proxy, nodeAgent, konnectivityAgent, nodes } = seen;
    const parts = Object.entries({ proxy, 'node agent': nodeAgent, 'konnectivity agent': konnectivityAgent, nodes });
    for (const [name, part] of parts)
      if (part !== undefined && !isTrue(part)) return verdictFalse(part.reason, `${name}: ${part.message}`, part.fix);
    return registered;
  }

  /** Nothing goes on any more; its processes are the driver's. */
  async stop(): Promise<void> {
    await this.workers?.stop();
    await this.controlPlane.stop();
  }

  async remove(): Promise<void> {
    await this.workers?.remove();
    await this.controlPlane.remove();
  }
}

/** What `kubectl get nodes` shows is what is desired: nothing of earlier workers, and all that the workers say is Ready. */
function registeredVerdict(counted: ObservedNodes | undefined, seen: WorkersView | undefined): Verdict {
  if (counted === undefined || (seen !== undefined && counted.ready < seen.nodes.ready))
    return verdictFalse('CountingNodes', 'nodes: being counted');
  if (counted.leaving.length === 0) return verdictTrue('NodesReady');
  return verdictFalse('RemovingNodes', `nodes of other workers are being removed: ${counted.leaving.join(', ')}`);
}
