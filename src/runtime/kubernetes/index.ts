// Workloads as objects of Kubernetes: StatefulSets, Deployments, and what belongs to them.
export { type ImageOptions, imageOf, programsWithImage } from './images.ts';
export type { KubernetesInput } from './names.ts';
export { kubernetesObjects } from './objects.ts';
