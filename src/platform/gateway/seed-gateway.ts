// The gateway of one seed, as its runtime starts it. What cannot be opened is tried again, and a
// port that is taken keeps out only the clusters that are reached on it.

import { sameJson } from '../../core/same-json.ts';
import type { ConnectionView, GatewayStatus, RunningGateway, Snapshot } from '../../gateway/index.ts';
import { type Verdict, verdictFalse, verdictStarting, verdictTrue } from '../../reconcile/index.ts';
import type { GatewayRuntime, ObservedGateway } from '../../runtime/platform-runtime.ts';
import type { Log } from '../../sys/log.ts';
import { listenProblem, withoutTaken } from './taken-ports.ts';

export interface SeedGatewayOptions {
  readonly seed: string;
  readonly addresses: readonly string[];
  readonly workers: number;
  readonly log: Log;
  readonly start: GatewayRuntime['start'];
  changed(): void;
}

/** Of one attempt, as a whole. */
type Problems = Pick<SeedGateway, 'problem' | 'sharedProblem' | 'clusterProblems'>;

/** Connections may go on for so long when a worker is replaced. */
const graceMs = 5000;
const retryMs = 1000;
const mostConnections = 1000;

export class SeedGateway {
  readonly seed: string;
  readonly addresses: readonly string[];
  /** Why all of it does not work. */
  problem: Verdict | undefined = verdictStarting();
  /** Why some of it does not: a port that many clusters share. */
  sharedProblem: Verdict | undefined;
  /** Why a cluster is not served. */
  clusterProblems: ReadonlyMap<string, Verdict> = new Map();
  readonly #options: SeedGatewayOptions;
  #running: RunningGateway | undefined;
  #wanted: Snapshot | undefined;
  #working: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;
  #wasTried = false;
  /** Under way, or to come. */
  #attempts = 0;

  constructor(options: SeedGatewayOptions) {
    this.#options = options;
    this.seed = options.seed;
    this.addresses = options.addresses;
  }

  /** Like any other component. */
  observe(): ObservedGateway {
    const { seed, healthy, restarts } = this;
    return { seed, healthy, problem: this.problem ?? this.sharedProblem, restarts, workers: this.workers() };
  }

  get healthy(): boolean {
    return this.problem === undefined && (this.#running?.status().ready ?? false);
  }

  /** Nothing was tried to the end yet, so that it does not work says nothing. */
  get isStarting(): boolean {
    return !this.#wasTried;
  }

  /** Of its workers, because they ended although nobody told them to. */
  get restarts(): number {
    return this.#running?.status().workerRestarts ?? 0;
  }

  workers(): GatewayStatus['workers'] {
    return this.#running?.status().workers ?? [];
  }

  /** Resolves when it is in force, or when it was said why it is not. */
  apply(snapshot: Snapshot): Promise<void> {
    this.#wanted = snapshot;
    this.#attempts += 1;
    this.#working = this.#working
      .then(() => this.#attempt())
      .finally(() => {
        this.#attempts -= 1;
      });
    return this.#working;
  }

  reloadCertificate(): Promise<void> {
    return this.#running?.reloadCertificate() ?? Promise.resolve();
  }

  series(): ReadonlyMap<string, number> {
    return this.#running?.counters() ?? new Map();
  }

  async refresh(): Promise<void> {
    await this.#running?.refreshCounters();
    // Its process may have been started again with another one. What is wrong already is tried again anyway.
    const isTried = this.#attempts > 0 || this.problem !== undefined || this.clusterProblems.size > 0;
    if (!isTried && this.#wanted && this.#running?.status().snapshot === undefined) await this.apply(this.#wanted);
  }

  async connections(cluster: string | undefined): Promise<ConnectionView[]> {
    return (await this.#running?.connections({ cluster, most: mostConnections })) ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#working;
    await this.#running?.stop(0);
  }

  async #attempt(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === undefined || this.#stopped) return;
    clearTimeout(this.#retry);
    // What was wrong stays said while it is tried again: a cluster without a port is not ready in between.
    Object.assign(this, await this.#serve(wanted));
    this.#wasTried = true;
    if (this.problem !== undefined || this.clusterProblems.size > 0)
      this.#retry = setTimeout(() => void this.apply(this.#wanted ?? wanted), retryMs).unref();
    this.#options.changed();
  }

  /** Without what cannot be opened, one after the other. */
  async #serve(wanted: Snapshot): Promise<Problems> {
    const clusterProblems = new Map<string, Verdict>();
    let sharedProblem: Verdict | undefined;
    let snapshot = wanted;
    for (;;) {
      try {
        await this.#run(snapshot);
        return { problem: undefined, sharedProblem, clusterProblems };
      } catch (error) {
        const problem = listenProblem(error);
        const rest = withoutTaken(snapshot, this.addresses, problem.message);
        if (rest === undefined) return { problem, sharedProblem, clusterProblems };
        if (rest.shared) sharedProblem = problem;
        for (const cluster of rest.lost) clusterProblems.set(cluster, problem);
        snapshot = rest.snapshot;
      }
    }
  }

  async #run(snapshot: Snapshot): Promise<void> {
    const { start, addresses, workers, log } = this.#options;
    this.#running ??= await start({ snapshot, addresses, workers, graceMs, log });
    if (!sameJson(this.#running.status().snapshot, snapshot)) await this.#running.apply(snapshot);
  }
}

/** Of the gateway of a seed, or of what it does for one cluster. */
export function verdictOnGateway(gateway: SeedGateway | undefined, cluster?: string): Verdict {
  const problem = (cluster === undefined ? undefined : gateway?.clusterProblems.get(cluster)) ?? gateway?.problem;
  if (problem !== undefined) return { ...problem, reason: gateway?.isStarting ? 'Starting' : 'NotServing' };
  return gateway?.healthy === true ? verdictTrue('Serving') : verdictFalse('Starting', 'the gateway is not there');
}
