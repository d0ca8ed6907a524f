// Control planes for tests: one of each part, and a highly available one.
import { controlPlaneWorkloads, type WorkloadInput } from '../../../control-plane/index.ts';
import { sampleInput, workloadInput } from '../../../control-plane/testing/input.ts';
import type { KubernetesInput } from '../index.ts';

export const gateway = { namespace: 'causeway', labels: { 'app.kubernetes.io/name': 'gateway' } };

const one = workloadInput(sampleInput());
const { server } = one.konnectivity;

export const single = (changes: Partial<WorkloadInput> = {}): KubernetesInput => ({
  namespace: one.endpoint.namespace,
  cluster: one.cluster,
  workloads: controlPlaneWorkloads({ ...one, ...changes }),
  gateway,
});

export const highlyAvailable = (changes: Partial<WorkloadInput> = {}): KubernetesInput =>
  single({
    size: { etcd: 3, controllers: 2 },
    konnectivity: { ...one.konnectivity, server: { ...server, replicas: 2, serverCount: 2 } },
    ...changes,
  });
