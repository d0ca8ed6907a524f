// Control planes of the example platform as a seed would have them: planned, described, rendered.
import { fileURLToPath } from 'node:url';
import { settledFor } from '../../../src/control-plane/cluster-state.ts';
import { controlPlaneWorkloads, type WorkloadInput } from '../../../src/control-plane/components/index.ts';
import { workloadInput } from '../../../src/control-plane/testing/input.ts';
import { load } from '../../../src/model/load/index.ts';
import { plan as planOf } from '../../../src/plan/index.ts';
import { controlPlaneInput } from '../../../src/platform/cluster/cluster-input.ts';
import type { KubernetesInput } from '../../../src/runtime/kubernetes/index.ts';

/** Template `local`; its clusters have one API server unless the platform says otherwise. */
async function exampleInput(cluster: string, replicas: number): Promise<WorkloadInput> {
  const { model } = await load(fileURLToPath(new URL('../../../examples/local', import.meta.url)));
  if (model === undefined) throw new Error('the example has errors');
  const spec = { ...model.platform.spec, konnectivity: { ...model.platform.spec.konnectivity, replicas } };
  const changed = { ...model, platform: { ...model.platform, spec } };
  const found = changed.clusters.find(({ metadata }) => metadata.name === cluster);
  const planned = { model: changed, plan: planOf(changed) };
  const input = found && controlPlaneInput(planned, found);
  if (input === undefined) throw new Error(`the example has no cluster ${cluster}`);
  return { ...workloadInput(input), ...settledFor(input, undefined) };
}

const rendered = (input: WorkloadInput): KubernetesInput => ({
  namespace: input.endpoint.namespace,
  cluster: input.cluster,
  workloads: controlPlaneWorkloads(input),
  gateway: { namespace: 'causeway', labels: { 'app.kubernetes.io/name': 'gateway' } },
});

/** As the template has it. */
export const exampleControlPlane = async (changes: Partial<WorkloadInput> = {}): Promise<KubernetesInput> =>
  rendered({ ...(await exampleInput('tunneling', 1)), ...changes });

/** Three members of the store, two of everything else. */
export const highlyAvailableControlPlane = async (changes: Partial<WorkloadInput> = {}): Promise<KubernetesInput> =>
  rendered({ ...(await exampleInput('nodeport', 2)), size: { etcd: 3, controllers: 2 }, ...changes });
