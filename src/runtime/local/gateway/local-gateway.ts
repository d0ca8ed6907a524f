// A gateway that is a process beside the platform's: the driver keeps it running, its admin socket tells how it is.
import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../../../core/errors.ts';
import {
  type ConnectionView,
  type EngineOptions,
  type GatewayClient,
  type GatewayReport,
  type GatewayStatus,
  gatewayClient,
  type Listening,
  type RunningGateway,
  type Snapshot,
} from '../../../gateway/index.ts';
import type { ObservedComponent } from '../../platform-runtime.ts';
import type { PlatformHome } from '../home.ts';
import type { Supervisor } from '../supervisor.ts';
import { gatewayComponent, gatewayId } from './component.ts';

export interface LocalGatewayOptions extends Omit<EngineOptions, 'directory' | 'snapshot' | 'log'> {
  readonly seed: string;
  readonly home: PlatformHome;
  readonly processes: Supervisor;
  /** Of its program. */
  readonly digest: string;
}

const pollMs = 50;
/** Node, its sources and a worker on a machine that starts everything else as well. */
const startMs = 60_000;
const defaultGraceMs = 5_000;

/** Of a seed, as the driver sees it. */
export const gatewayProcess = (processes: Supervisor, seed: string): ObservedComponent | undefined =>
  processes.find(gatewayId(seed));

/** Adopts the process that runs, or has one started. Which snapshot is in force there is not known before one is applied. */
export function startLocalGateway(options: LocalGatewayOptions): RunningGateway {
  const { seed, processes, graceMs = defaultGraceMs } = options;
  const spec = gatewayComponent({ ...options, graceMs });
  processes.apply(spec.scope, [spec]);
  return new LocalGateway(seed, processes, gatewayClient(spec.handover));
}

class LocalGateway implements RunningGateway {
  readonly #seed: string;
  readonly #processes: Supervisor;
  readonly #client: GatewayClient;
  /** What it said last; undefined while it says nothing. */
  #report: GatewayReport | undefined;
  #asking: Promise<void> | undefined;
  /** The last that was accepted. */
  #applied: Snapshot | undefined;

  constructor(seed: string, processes: Supervisor, client: GatewayClient) {
    this.#seed = seed;
    this.#processes = processes;
    this.#client = client;
  }

  listening(): readonly Listening[] {
    return this.#report?.listening ?? [];
  }

  async apply(snapshot: Snapshot): Promise<void> {
    await this.#running();
    await this.#client.apply(snapshot);
    this.#applied = snapshot;
    await this.#ask();
  }

  status(): GatewayStatus {
    // Another process may be in its place by now, of which nothing is known yet.
    const isCurrent = this.#report?.pid === gatewayProcess(this.#processes, this.#seed)?.pid;
    const {
      ready = false,
      draining = false,
      workers = [],
      workerRestarts = 0,
      version,
    } = (isCurrent ? this.#report : undefined) ?? {};
    const snapshot = version === this.#applied?.version ? this.#applied : undefined;
    return { ready, draining, workers, workerRestarts, snapshot };
  }

  counters(): ReadonlyMap<string, number> {
    return new Map(Object.entries(this.#report?.counters ?? {}));
  }

  /** One question at a time, however long the answer takes. */
  refreshCounters(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    this.#report = await this.#client.report().catch(() => undefined);
  }

  async connections(filter: { readonly cluster?: string; readonly most: number }): Promise<ConnectionView[]> {
    return (await this.#client.connections(filter.cluster).catch(() => [])).slice(0, filter.most);
  }

  /** One that is not there reads it when it starts. */
  async reloadCertificate(): Promise<void> {
    if ((await this.#client.report()) !== undefined) await this.#client.reloadCertificate();
  }

  async upgrade(): Promise<void> {
    await this.#client.upgrade();
  }

  /** It drains for as long as its description says. */
  stop(): Promise<void> {
    return this.#processes.remove(gatewayId(this.#seed).scope);
  }

  /** Resolves when the process that the driver looks after answers: one from before may have to hand over first. */
  async #running(): Promise<void> {
    const deadline = performance.now() + startMs;
    for (;;) {
      const component = gatewayProcess(this.#processes, this.#seed);
      const report = component?.pid === undefined ? undefined : await this.#client.report().catch(() => undefined);
      if (report !== undefined && report.pid === component?.pid) return;
      const { phase = 'stopped', why = 'it was stopped', next } = component ?? {};
      if (phase === 'stopped' || phase === 'failed' || phase === 'restarting') throw doesNotRun(why, next);
      if (performance.now() > deadline) throw doesNotRun(`it has not answered for ${startMs / 1000} s`, next);
      await sleep(pollMs);
    }
  }
}

const doesNotRun = (why: string, next = 'it is started again by itself'): CausewayError =>
  new CausewayError('CW-GATEWAY-PROCESS', `the process of the gateway does not run: ${why}`, next);
