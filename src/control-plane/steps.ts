// The steps of one control plane, in order: certificates, components, what the API server must know, where pods find it.
import { hash } from 'node:crypto';
import { createKubeClient, type KubeClient, type KubeObject } from '../kube/index.ts';
import { type Step, type Verdict, verdictFalse, verdictTrue } from '../reconcile/index.ts';
import type { Log } from '../sys/log.ts';
import { bootstrapObjects } from './bootstrap/index.ts';
import { kubernetesServiceObjects, usableAddresses } from './bootstrap/kubernetes-service.ts';
import type { ClusterRuntime } from './cluster-runtime.ts';
import { readClusterState, settledFor } from './cluster-state.ts';
import { controlPlaneWorkloads, workloadNames } from './components/index.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { removeEnded } from './kubeconfigs.ts';
import { ensurePki, type PkiOptions } from './pki/ensure-pki.ts';
import type { ControlPlanePki } from './pki/pki.ts';
import { Rollout, type RolloutOptions } from './rollout.ts';

export interface ControlPlaneStepsOptions extends RolloutOptions, PkiOptions {
  readonly runtime: ClusterRuntime;
  readonly log: Log;
}

/** Objects that somebody changed or deleted come back after this time. */
const applyAgainMs = 10 * 60_000;

const noAccount: Verdict = verdictFalse(
  'NoServiceAccount',
  'the controllers have not made the service account "default" yet',
  'it is looked for again',
);

/** Types of the conditions of a control plane, in the order of its steps. The last one is True when all of them are. */
export const stepTypes = {
  certificates: 'CertificatesValid',
  components: 'ApiServerReady',
  bootstrap: 'BootstrapApplied',
  service: 'KubernetesServiceApplied',
  readiness: 'PodsAdmitted',
} as const;

export class ControlPlaneSteps {
  readonly #options: ControlPlaneStepsOptions;
  readonly #rollout: Rollout;
  #pki: ControlPlanePki | undefined;
  #pkiOf: ControlPlaneInput | undefined;
  #client: { readonly mark: string; readonly client: KubeClient } | undefined;
  /** Of which API server. */
  #accountSeen: string | undefined;
  readonly #applied = new Map<string, { readonly mark: string; readonly at: number }>();

  constructor(options: ControlPlaneStepsOptions) {
    this.#options = options;
    this.#rollout = new Rollout(options);
  }

  get pki(): ControlPlanePki | undefined {
    return this.#pki;
  }

  of(input: ControlPlaneInput): Step[] {
    return [
      { type: stepTypes.certificates, ensure: () => this.#certificates(input) },
      { type: stepTypes.components, ensure: () => this.#components(input) },
      { type: stepTypes.bootstrap, ensure: () => this.#bootstrap(input) },
      { type: stepTypes.service, ensure: () => this.#service(input) },
      {
        // All components are healthy, and pods can be started.
        type: stepTypes.readiness,
        ensure: async () => this.#rollout.problemOf(input) ?? (await this.#account(input)),
      },
    ];
  }

  /** For ourselves, with the certificate as it is now. */
  client(): KubeClient {
    const pki = this.#pki;
    if (pki === undefined) throw new Error('asked for a client before there were certificates');
    const address = this.#options.runtime.addressOf(workloadNames.apiServer, 'https');
    const mark = `${pki.marks.internal} ${address}`;
    if (this.#client?.mark !== mark) {
      this.close();
      this.#client = { mark, client: createKubeClient({ server: `https://${address}`, ...pki.own }) };
    }
    return this.#client.client;
  }

  /** Keys on disk are others now: they are read again. */
  forgetKeys(): void {
    this.#pkiOf = undefined;
  }

  close(): void {
    this.#client?.client.close();
    this.#client = undefined;
  }

  async #certificates(input: ControlPlaneInput): Promise<Verdict> {
    const isFresh = this.#pkiOf === input && this.#options.now() < (this.#pki?.renewAt ?? 0);
    if (isFresh) return verdictTrue();
    this.#pki = await ensurePki(input, this.#options.runtime, this.#options);
    this.#pkiOf = input;
    for (const { level, message } of this.#pki.notices) this.#options.log[level](message, { cluster: input.cluster });
    return verdictTrue();
  }

  async #components(input: ControlPlaneInput): Promise<Verdict> {
    const { marks } = this.#pki as ControlPlanePki;
    const settled = settledFor(input, await readClusterState(this.#options.runtime));
    const workloads = controlPlaneWorkloads({ ...input, marks, ...settled });
    return this.#rollout.ensure(input, this.#options.runtime.resolve(workloads), this.client());
  }

  async #bootstrap(input: ControlPlaneInput): Promise<Verdict> {
    const objects = bootstrapObjects(input, (this.#pki as ControlPlanePki).own.ca);
    if (this.#isDue('bootstrap', this.#markOf(input, objects))) await removeEnded(this.client(), this.#options.now());
    return this.#apply('bootstrap', input, objects);
  }

  #service(input: ControlPlaneInput): Promise<Verdict> {
    const { addresses } = input.endpoint.kubernetesService;
    const left = addresses.filter((address) => !usableAddresses(input.endpoint).includes(address));
    const objects = kubernetesServiceObjects(input.endpoint);
    if (left.length > 0 && !this.#applied.has('kubernetes-service')) {
      const message = 'the service "kubernetes" has no endpoint here: Kubernetes takes no loopback address for one';
      this.#options.log.info(message, { cluster: input.cluster, address: left.join(',') });
    }
    return this.#apply('kubernetes-service', input, objects);
  }

  /** A controller makes it: that proves that they work, and nobody can start a pod before it is there. */
  async #account(input: ControlPlaneInput): Promise<Verdict> {
    const mark = this.#rollout.apiServerMark(input);
    if (this.#accountSeen === mark) return verdictTrue();
    const account = await this.client().get('/api/v1/namespaces/default/serviceaccounts/default');
    if (account === undefined) return noAccount;
    this.#accountSeen = mark;
    return verdictTrue();
  }

  async #apply(name: string, input: ControlPlaneInput, objects: readonly KubeObject[]): Promise<Verdict> {
    const mark = this.#markOf(input, objects);
    if (!this.#isDue(name, mark)) return verdictTrue();
    const client = this.client();
    await Promise.all(objects.map((object) => client.apply(object)));
    this.#applied.set(name, { mark, at: this.#options.now() });
    return verdictTrue();
  }

  #isDue(name: string, mark: string): boolean {
    const last = this.#applied.get(name);
    return last?.mark !== mark || this.#options.now() - last.at >= applyAgainMs;
  }

  /** A server that was started again may have been given an older store. */
  #markOf(input: ControlPlaneInput, objects: readonly KubeObject[]): string {
    return `${this.#rollout.apiServerMark(input)} ${hash('sha256', JSON.stringify(objects))}`;
  }
}
