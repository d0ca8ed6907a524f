// Workloads as objects of Kubernetes: pure, so that a change can be seen before it is made.
import type { Ingress, Workload } from '../../control-plane/workload.ts';
import type { KubeObject } from '../../kube/index.ts';
import { configData, configsOf } from './container.ts';
import {
  configMapName,
  type KubernetesInput,
  labelsOf,
  metadataOf,
  type Place,
  portsOf,
  type ServiceShape,
  selectorOf,
  servicesOf,
  unresolved,
} from './names.ts';
import { controllerOf, disruptionBudgetOf } from './pods.ts';

/** In the order in which they are applied. Secrets are referred to, and made by whoever has the keys. */
export function kubernetesObjects(input: KubernetesInput): KubeObject[] {
  const places = input.workloads.map((workload): Place => ({ input, workload }));
  const objects = [
    namespace(input),
    // Before there is anything to connect to.
    denyAll(input),
    ...places.filter(({ workload }) => workload.ingress.length > 0).map(networkPolicy),
    ...places.flatMap(configMaps),
    ...places.flatMap((place) => servicesOf(place.workload).map((shape) => service(place, shape))),
    ...places.filter(({ workload }) => workload.replicas > 1).map(disruptionBudgetOf),
    ...places.map(controllerOf),
  ];
  refuseTwins(objects);
  return objects;
}

const namespace = (input: KubernetesInput): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: input.namespace,
    labels: { ...labelsOf(input), 'pod-security.kubernetes.io/enforce': 'restricted' },
  },
});

const denyAll = (input: KubernetesInput): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'default-deny', namespace: input.namespace, labels: labelsOf(input) },
  spec: { podSelector: {}, policyTypes: ['Ingress'] },
});

function networkPolicy(place: Place): KubeObject {
  const { input, workload } = place;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(place, workload.name),
    spec: {
      podSelector: { matchLabels: selectorOf(input.cluster, workload.name) },
      policyTypes: ['Ingress'],
      ingress: workload.ingress.map((ingress) => ({
        ports: [{ port: numberOf(workload, ingress), protocol: 'TCP' }],
        from: ingress.from.map((name) => peer(place, name)),
      })),
    },
  };
}

function numberOf(workload: Workload, { port }: Ingress): number {
  const found = portsOf(workload).find(({ name }) => name === port);
  if (found === undefined)
    throw unresolved(workload.name, `it lets others in at a port that it does not have: ${port}`);
  return found.number;
}

function peer({ input, workload }: Place, name: string): object {
  if (name === 'gateway')
    return {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': input.gateway.namespace } },
      podSelector: { matchLabels: input.gateway.labels },
    };
  if (!input.workloads.some((other) => other.name === name))
    throw unresolved(workload.name, `it lets in ${name}, which there is not`);
  return { podSelector: { matchLabels: selectorOf(input.cluster, name) } };
}

const configMaps = (place: Place): KubeObject[] =>
  place.workload.containers
    .filter((container) => configsOf(container).length > 0)
    .map((container) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadataOf(place, configMapName(place.workload, container)),
      data: configData(place, container),
    }));

const service = (place: Place, { name, ports, headless, publishNotReady }: ServiceShape): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadataOf(place, name),
  spec: {
    ...(headless && { clusterIP: 'None' }),
    ...(publishNotReady && { publishNotReadyAddresses: true }),
    selector: selectorOf(place.input.cluster, place.workload.name),
    ports: ports.map((port) => ({ name: port.name, port: port.number, targetPort: port.name, protocol: 'TCP' })),
  },
});

/** One would be applied over the other. */
function refuseTwins(objects: readonly KubeObject[]): void {
  const seen = new Set<string>();
  for (const { kind, metadata } of objects) {
    const key = `${kind} ${metadata.name}`;
    if (seen.has(key)) throw unresolved(metadata.labels?.['app.kubernetes.io/name'] ?? key, `there is another ${key}`);
    seen.add(key);
  }
}
