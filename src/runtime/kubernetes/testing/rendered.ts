// Rendered objects as a reader of them sees them: typed by what the checks look at, found by kind, selector and name.
import type { KubeObject } from '../../../kube/index.ts';

export type Labels = Readonly<Record<string, string>>;

export interface ContainerObject {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly MountObject[];
  readonly readinessProbe?: ProbeObject;
  readonly livenessProbe?: ProbeObject;
  readonly startupProbe?: ProbeObject;
  readonly restartPolicy?: string;
  readonly securityContext: object;
}

export interface MountObject {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

export interface ProbeObject {
  readonly httpGet?: { readonly path: string; readonly port: string | number; readonly scheme: string };
  readonly tcpSocket?: { readonly port: string | number };
}

interface Item {
  readonly key: string;
  readonly path: string;
}
type Source = { readonly name: string; readonly items: readonly Item[] };

export interface VolumeObject {
  readonly name: string;
  readonly emptyDir?: object;
  readonly projected?: { readonly sources: readonly { readonly secret?: Source; readonly configMap?: Source }[] };
}

export interface PodSpec {
  readonly initContainers?: readonly ContainerObject[];
  readonly containers: readonly ContainerObject[];
  readonly volumes: readonly VolumeObject[];
}

export interface ServiceObject extends KubeObject {
  readonly spec: {
    readonly clusterIP?: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly selector: Labels;
    readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string | number }[];
  };
}

interface PolicyPeer {
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly namespaceSelector?: object;
}

export interface PolicyObject extends KubeObject {
  readonly spec: {
    readonly podSelector: { readonly matchLabels?: Labels };
    readonly ingress?: readonly {
      readonly ports: readonly { readonly port: number }[];
      readonly from: readonly PolicyPeer[];
    }[];
  };
}

/** A StatefulSet or Deployment. */
export interface ControllerObject extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly serviceName?: string;
    readonly selector: { readonly matchLabels: Labels };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template: {
      readonly metadata: { readonly labels: Labels; readonly annotations: Labels };
      readonly spec: PodSpec;
    };
    readonly [field: string]: unknown;
  };
}

const ofKind =
  <Kind extends KubeObject>(...kinds: string[]) =>
  (objects: readonly KubeObject[]): Kind[] =>
    objects.filter(({ kind }) => kinds.includes(kind)) as Kind[];

export const controllersIn = ofKind<ControllerObject>('StatefulSet', 'Deployment');
export const servicesIn = ofKind<ServiceObject>('Service');
export const policiesIn = ofKind<PolicyObject>('NetworkPolicy');
export const configMapsIn = ofKind<KubeObject & { readonly data: Labels }>('ConfigMap');

export const containersIn = ({ spec }: ControllerObject): ContainerObject[] => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
];

/** As Kubernetes does it: no label wanted is any pod. */
export const selects = (wanted: Labels | undefined, labels: Labels): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => labels[name] === value);

export const labelsOfPods = ({ spec }: ControllerObject): Labels => spec.template.metadata.labels;

export const selectedBy = (wanted: Labels | undefined, objects: readonly KubeObject[]): ControllerObject[] =>
  controllersIn(objects).filter((controller) => selects(wanted, labelsOfPods(controller)));

/** By its name or its number. */
export const portIn = (containers: readonly ContainerObject[], wanted: string | number): number | undefined =>
  containers
    .flatMap(({ ports = [] }) => ports)
    .find(({ name, containerPort }) => name === wanted || containerPort === wanted)?.containerPort;

/** Whether pods with these labels may connect to that port of those; of the same namespace. */
export const admits = (objects: readonly KubeObject[], from: Labels, to: Labels, port: number): boolean => {
  const policies = policiesIn(objects).filter(({ spec }) => selects(spec.podSelector.matchLabels, to));
  const rules = policies.flatMap(({ spec }) => spec.ingress ?? []);
  return (
    policies.length === 0 ||
    rules.some(
      (rule) =>
        rule.ports.some((each) => each.port === port) &&
        rule.from.some((peer) => peer.namespaceSelector === undefined && selects(peer.podSelector?.matchLabels, from)),
    )
  );
};
