// One cluster whose control plane this machine runs, with the worker side that it may play too.
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodesSeen } from '../../control-plane/cluster-nodes.ts';
import type { ControlPlaneInput, InnerPorts } from '../../control-plane/control-plane.ts';
import type { NodeKind } from '../../control-plane/own-nodes.ts';
import type { WorkersView } from '../../runtime/local/workers/worker-input.ts';
import { Keeper } from '../keeper.ts';
import type { ControlPlane, WorkerSide, WorkerWish } from '../parts.ts';

/** How often a control plane that is not ready is looked at. */
const lookMs = 100;

export interface ManagedRunnerOptions {
  readonly ports: InnerPorts;
  readonly controlPlane: ControlPlane;
  /** Whose nodes it has here; nodes of another kind are removed. */
  readonly kind: NodeKind | 'none';
  /** Absent where no workers are wanted here. */
  readonly workers?: WorkerSide;
  changed(): void;
}

export interface State {
  readonly ready: boolean;
  readonly reason?: string;
  readonly fix?: string;
  /** It was refused, and stays so until something else is wanted. */
  readonly refused?: boolean;
}

export class ManagedRunner {
  readonly ports: InnerPorts;
  readonly controlPlane: ControlPlane;
  readonly #workers: WorkerSide | undefined;
  readonly #keeper: Keeper<ControlPlaneInput>;
  readonly #workerKeeper: Keeper<WorkerWish>;
  #stopped = false;

  constructor({ ports, controlPlane, kind, workers, changed }: ManagedRunnerOptions) {
    this.ports = ports;
    this.controlPlane = controlPlane;
    this.#workers = workers;
    controlPlane.ownNodes(kind);
    this.#keeper = new Keeper({ bring: (input) => controlPlane.reconcile(input), changed });
    this.#workerKeeper = new Keeper({ bring: (wish) => this.#bringWorkers(wish), changed });
  }

  want(input: ControlPlaneInput, workers: WorkerWish): void {
    this.#keeper.want(input);
    if (this.#workers !== undefined) this.#workerKeeper.want(workers);
  }

  /** The control plane alone. */
  state(): State {
    const { problem, done } = this.#keeper;
    if (problem !== undefined) return { ready: false, reason: problem.why, ...fixOf(problem.fix), refused: true };
    const { ready, reason, next } = this.controlPlane.look();
    if (ready) return { ready };
    return { ready, reason: reason ?? (done ? 'it is not ready yet' : 'it is being started'), ...fixOf(next) };
  }

  /** As its API server has them. */
  nodesSeen(): NodesSeen | undefined {
    return this.controlPlane.look().nodes;
  }

  /** Undefined where it has none here. */
  workersSeen(): WorkersView | undefined {
    return this.#workers?.look();
  }

  /** The worker side, as far as it is played here. */
  workersState(): State {
    const seen = this.workersSeen();
    const { problem } = this.#workerKeeper;
    const registered = registeredState(this.nodesSeen(), seen);
    if (seen === undefined) return registered;
    if (problem !== undefined) return { ready: false, reason: problem.why, ...fixOf(problem.fix) };
    const { proxy, nodeAgent, konnectivityAgent, nodes } = seen;
    const parts = Object.entries({ proxy, 'node agent': nodeAgent, 'konnectivity agent': konnectivityAgent, nodes });
    const [name, sick] = parts.find(([, part]) => part?.healthy === false) ?? [];
    if (sick === undefined) return registered;
    return { ready: false, reason: `${name}: ${sick.why ?? 'being started'}`, ...fixOf(sick.fix) };
  }

  /** Nothing of it is tried any more; its processes are the driver's. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#keeper.stop(), this.#workerKeeper.stop()]);
    await this.#workers?.stop();
    await this.controlPlane.stop();
  }

  async remove(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#keeper.stop(), this.#workerKeeper.stop()]);
    await this.#workers?.remove();
    await this.controlPlane.remove();
  }

  /** They get their credentials from a control plane that works, and are never newer than it. */
  async #bringWorkers(wish: WorkerWish): Promise<void> {
    const isThere = (): boolean => this.#keeper.done && this.controlPlane.look().ready;
    while (!this.#stopped && !isThere()) await sleep(lookMs);
    if (!this.#stopped) await this.#workers?.reconcile(wish);
  }
}

const fixOf = (fix: string | undefined): { fix?: string } => (fix === undefined ? {} : { fix });

/** What `kubectl get nodes` shows is what is wanted: nothing of earlier workers, and all that the workers say is Ready. */
function registeredState(counted: NodesSeen | undefined, seen: WorkersView | undefined): State {
  if (counted === undefined || (seen !== undefined && counted.ready < seen.nodes.ready))
    return { ready: false, reason: 'nodes: being counted' };
  if (counted.leaving.length === 0) return { ready: true };
  return { ready: false, reason: `nodes of other workers are being removed: ${counted.leaving.join(', ')}` };
}
