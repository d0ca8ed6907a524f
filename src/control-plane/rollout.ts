// The step that has the components running: which of them at this moment, and what they say of themselves.
import { isDeepStrictEqual } from 'node:util';
import type { KubeClient } from '../kube/client.ts';
import { readClusterState, writeClusterState } from './cluster-state.ts';
import type { ComponentPhase, ComponentSpec, Driver, Observed, Scope } from './component.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { done, type Outcome } from './steps.ts';
import { type Stage, specsOf } from './upgrade.ts';

export interface RolloutOptions {
  readonly driver: Driver;
  /** The moment to save the store. */
  readonly beforeUpgrade?: ((input: ControlPlaneInput, from: string) => Promise<void>) | undefined;
}

export class Rollout {
  readonly #options: RolloutOptions;
  #running: readonly ComponentSpec[] = [];
  #savedFor: string | undefined;

  constructor(options: RolloutOptions) {
    this.#options = options;
  }

  /** Healthy when the API server of the wanted version answers; the others may still be on their way. */
  async ensure(input: ControlPlaneInput, wanted: readonly ComponentSpec[], client: KubeClient): Promise<Outcome> {
    const known = readClusterState(input.home)?.kubernetesVersion;
    const from = known ?? input.kubernetesVersion;
    let stage = this.#stageOf(from, input);
    this.#apply(input, specsOf(stage, wanted, this.#running));
    if (stage === 'store') {
      const store = this.problemOf(input, ['etcd']);
      if (store !== undefined) return store;
      await this.#options.beforeUpgrade?.(input, from);
      this.#savedFor = input.kubernetesVersion;
      stage = 'api-server';
      this.#apply(input, specsOf(stage, wanted, this.#running));
    }
    const problem = this.problemOf(input, ['etcd', 'kube-apiserver']);
    if (problem !== undefined || known === input.kubernetesVersion) return problem ?? done;
    if (!(await answersAs(input.kubernetesVersion, client))) return replacing(input);
    writeClusterState(input.home, { strategy: input.endpoint.strategy, kubernetesVersion: input.kubernetesVersion });
    this.#apply(input, wanted);
    return done;
  }

  /** Another one when the API server was started again, perhaps with other data. */
  apiServerMark(input: ControlPlaneInput): string {
    const seen = this.#seen(input).find(({ name }) => name === 'kube-apiserver');
    return `${seen?.pid} ${seen?.restarts}`;
  }

  /** The first of these components, or of all, that is not healthy. */
  problemOf(input: ControlPlaneInput, names?: readonly string[]): Outcome | undefined {
    const seen = this.#seen(input);
    for (const name of names ?? this.#running.map((spec) => spec.name)) {
      const one = seen.find((observed) => observed.name === name);
      if (one?.healthy !== true) return outcomeOf(name, one);
    }
    return undefined;
  }

  #seen({ cluster }: ControlPlaneInput): readonly Observed[] {
    return this.#options.driver.look().filter(({ scope }) => scope === scopeOf(cluster));
  }

  #stageOf(from: string, { kubernetesVersion }: ControlPlaneInput): Stage {
    if (from === kubernetesVersion) return 'all';
    return this.#savedFor === kubernetesVersion ? 'api-server' : 'store';
  }

  #apply({ cluster }: ControlPlaneInput, specs: readonly ComponentSpec[]): void {
    if (isDeepStrictEqual(this.#running, specs)) return;
    this.#running = specs;
    this.#options.driver.apply(scopeOf(cluster), specs);
  }
}

export const scopeOf = (cluster: string): Scope => `cluster/${cluster}`;

const words: Readonly<Record<ComponentPhase, string>> = {
  waiting: 'it waits for what it needs',
  getting: 'its program is being fetched or built',
  starting: 'it is starting',
  healthy: 'it works',
  unhealthy: 'it does not answer',
  restarting: 'it ended, and is started again',
  stopping: 'it is being stopped',
  stopped: 'it is stopped',
};

const outcomeOf = (name: string, observed: Observed | undefined): Outcome => ({
  present: observed?.pid !== undefined,
  healthy: false,
  why: `${name}: ${observed?.why ?? words[observed?.phase ?? 'waiting']}`,
  ...(observed?.next === undefined ? {} : { next: observed.next }),
});

/** The driver may still tell of the one that is about to end, so the server itself is asked. */
async function answersAs(version: string, client: KubeClient): Promise<boolean> {
  const answer = await client.get<{ readonly gitVersion: string }>('/version');
  return answer?.gitVersion.replace(/^v/, '').split(/[-+]/)[0] === version;
}

const replacing = ({ kubernetesVersion }: ControlPlaneInput): Outcome => ({
  present: true,
  healthy: false,
  why: `kube-apiserver is being replaced by version ${kubernetesVersion}`,
  next: 'the other components follow when it answers',
});
