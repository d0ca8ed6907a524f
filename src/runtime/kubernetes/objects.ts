// Workloads as objects of Kubernetes: pure, so that a change can be seen before it is made.
import { checkWorkloads, gatewayPeer } from '../../control-plane/index.ts';
import type { KubeObject } from '../../kube/index.ts';
import { configData, configsOf } from './container.ts';
import {
  byName,
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
  const [problem] = checkWorkloads(input.workloads);
  if (problem !== undefined) throw unresolved(input.namespace, problem);
  const objects = renderObjects(input);
  refuseTwins(objects);
  return objects;
}

/** Of workloads whose names are known to lead somewhere. */
export function renderObjects(input: KubernetesInput): KubeObject[] {
  const places = input.workloads.map((workload): Place => ({ input, workload }));
  return [
    namespace(input),
    // Before there is anything to connect to.
    denyAll(input),
    ...places.filter(({ workload }) => workload.ingress.length > 0).map(networkPolicy),
    ...places.flatMap(configMaps),
    ...places.flatMap((place) => servicesOf(place.workload).map((shape) => service(place, shape))),
    ...places.filter(({ workload }) => workload.replicas > 1).map(disruptionBudgetOf),
    ...places.map(controllerOf),
  ];
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
        ports: [{ port: byName(portsOf(workload), ingress.port).number, protocol: 'TCP' }],
        from: ingress.from.map((name) => peer(input, name)),
      })),
    },
  };
}

const peer = (input: KubernetesInput, name: string): object =>
  name === gatewayPeer
    ? {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': input.gateway.namespace } },
        podSelector: { matchLabels: input.gateway.labels },
      }
    : { podSelector: { matchLabels: selectorOf(input.cluster, name) } };

const configMaps = (place: Place): KubeObject[] =>
  place.workload.containers
    .filter((container) => configsOf(container).length > 0)
    .map((container) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadataOf(place, container.name),
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
