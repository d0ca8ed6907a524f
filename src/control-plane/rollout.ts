// The step that has the components running: which of them at this moment, and what they say of themselves.
import { isDeepStrictEqual } from 'node:util';
import type { KubeClient } from '../kube/index.ts';
import { type Verdict, verdictFalse, verdictTrue } from '../reconcile/index.ts';
import type { ClusterRuntime } from './cluster-runtime.ts';
import { madeNow, readClusterState, writeClusterState } from './cluster-state.ts';
import {
  type ComponentSpec,
  type Driver,
  type Observed,
  type Scope,
  verdictOnComponent,
  versionOf,
} from './component.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { apiServerFirst, oneByOne, whileSaved } from './upgrade.ts';

export interface RolloutOptions {
  readonly driver: Driver;
  readonly runtime: Pick<ClusterRuntime, 'store' | 'hasData'>;
  /** The moment to save the store. */
  readonly beforeUpgrade?: ((input: ControlPlaneInput, from: string) => Promise<void>) | undefined;
}

export class Rollout {
  readonly #options: RolloutOptions;
  #wanted: readonly ComponentSpec[] = [];
  #running: readonly ComponentSpec[] = [];
  #savedFor: string | undefined;

  constructor(options: RolloutOptions) {
    this.#options = options;
  }

  /** True when the API server of the wanted version answers; the others may still be on their way. */
  async ensure(input: ControlPlaneInput, wanted: readonly ComponentSpec[], client: KubeClient): Promise<Verdict> {
    const { kubernetesVersion: version } = input;
    const state = await readClusterState(this.#options.runtime);
    const known = state?.kubernetesVersion;
    const from = known ?? version;
    this.#wanted = wanted;
    if (from === version) this.#follow(input);
    else {
      const problem = await this.#startUpgrade(input, from);
      if (problem !== undefined) return problem;
    }
    const problem = this.problemOf(input, ['etcd', 'kube-apiserver']);
    if (problem !== undefined) return from === version ? problem : withWayBack(problem, from);
    if (known === version) return verdictTrue();
    if (!(await answersAs(version, client))) return replacing('kube-apiserver', version);
    await writeClusterState(this.#options.runtime.store, {
      ...(state ?? madeNow),
      strategy: input.endpoint.strategy,
      kubernetesVersion: version,
    });
    this.#follow(input);
    return verdictTrue();
  }

  /** Another one when the API server was started again, perhaps with other data. */
  apiServerMark(input: ControlPlaneInput): string {
    const seen = this.#seen(input).find(({ name }) => name === 'kube-apiserver');
    return `${seen?.instance} ${seen?.restarts}`;
  }

  /** The first of these components, or of all, that is not healthy in the version that is wanted. */
  problemOf(input: ControlPlaneInput, names?: readonly string[]): Verdict | undefined {
    const seen = this.#seen(input);
    for (const spec of this.#wanted.filter(({ name }) => names?.includes(name) ?? true)) {
      const one = seen.find(({ name }) => name === spec.name);
      if (one?.healthy !== true) return named(spec.name, verdictOnComponent(one));
      if (!hasVersion(one, spec)) return replacing(spec.name, versionOf(spec.program), one);
    }
    return undefined;
  }

  /** The store is saved once for each attempt, and then the API server is the first to change. */
  async #startUpgrade(input: ControlPlaneInput, from: string): Promise<Verdict | undefined> {
    if (this.#savedFor !== input.kubernetesVersion) {
      this.#apply(input, whileSaved(this.#wanted, this.#running));
      const store = this.problemOf(input, ['etcd']);
      if (store !== undefined) return store;
      await this.#options.beforeUpgrade?.(input, from);
      this.#savedFor = input.kubernetesVersion;
    }
    this.#apply(input, apiServerFirst(this.#wanted, this.#running));
    return undefined;
  }

  /** The API server has its version. */
  #follow(input: ControlPlaneInput): void {
    this.#savedFor = undefined;
    const seen = this.#seen(input);
    const isThere = (spec: ComponentSpec): boolean =>
      seen.some((one) => one.name === spec.name && one.healthy && hasVersion(one, spec));
    this.#apply(input, oneByOne(this.#wanted, this.#running, isThere));
  }

  #seen({ cluster }: ControlPlaneInput): readonly Observed[] {
    return this.#options.driver.look().filter(({ scope }) => scope === scopeOf(cluster));
  }

  #apply({ cluster }: ControlPlaneInput, specs: readonly ComponentSpec[]): void {
    if (isDeepStrictEqual(this.#running, specs)) return;
    this.#running = specs;
    this.#options.driver.apply(scopeOf(cluster), specs);
  }
}

export const scopeOf = (cluster: string): Scope => `cluster/${cluster}`;

const named = (name: string, verdict: Verdict): Verdict => ({ ...verdict, message: `${name}: ${verdict.message}` });

/** The driver may still tell of the one that is about to end, so the server itself is asked. */
async function answersAs(version: string, client: KubeClient): Promise<boolean> {
  const answer = await client.get<{ readonly gitVersion: string }>('/version');
  return answer?.gitVersion.replace(/^v/, '').split(/[-+]/)[0] === version;
}

/** The old one works until the new one can start. */
const replacing = (name: string, version = 'another', old?: Observed): Verdict =>
  verdictFalse(
    'Replacing',
    `${name} is being replaced by version ${version}${old?.why === undefined ? '' : `: ${old.why}`}`,
    old?.next ?? 'the other components follow when it works',
  );

const hasVersion = ({ version }: Observed, spec: ComponentSpec): boolean =>
  version === undefined || version === versionOf(spec.program);

const withWayBack = ({ fix = 'it is tried again', ...problem }: Verdict, from: string): Verdict => ({
  ...problem,
  fix: `${fix}; to go back, set kubernetesVersion to ${from}`,
});
