// How things are called in the namespace of a cluster: labels, Services and the host names that follow from them, paths.
import { type Ingress, type Port, sidecarsOf, type Workload } from '../../control-plane/index.ts';
import { CausewayError } from '../../core/errors.ts';
import type { ImageOptions } from './images.ts';

export interface KubernetesInput {
  /** cluster-<id>, as the plan says. */
  readonly namespace: string;
  readonly cluster: string;
  readonly workloads: readonly Workload[];
  readonly images?: ImageOptions;
  /** Pods of the shared entry of the seed: what an ingress calls `gateway`. */
  readonly gateway: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
  /** Of volumes of kind `data`; absent: the seed's default. */
  readonly storageClass?: string;
  /** Of the seed's Services. @default cluster.local */
  readonly dnsDomain?: string;
}

/** One workload among the others of its cluster. */
export interface Place {
  readonly input: KubernetesInput;
  readonly workload: Workload;
}

export type Labels = Readonly<Record<string, string>>;

/** By these pods are found. They never change: selectors cannot. */
export const selectorOf = (cluster: string, workload: string): Labels => ({
  'app.kubernetes.io/name': workload,
  'app.kubernetes.io/instance': cluster,
});

/** Of everything in the namespace; `workload` is absent where it belongs to all of them. */
export const labelsOf = ({ cluster }: KubernetesInput, workload?: string): Labels => ({
  ...(workload === undefined ? { 'app.kubernetes.io/instance': cluster } : selectorOf(cluster, workload)),
  'app.kubernetes.io/part-of': 'causeway',
  'app.kubernetes.io/managed-by': 'causeway',
});

export const metadataOf = ({ input, workload }: Place, name: string) => ({
  name,
  namespace: input.namespace,
  labels: labelsOf(input, workload.name),
});

/** What a container sees of the cluster. Below `etc` nothing can be written. */
export const directories = {
  secrets: '/etc/causeway/secrets',
  configs: '/etc/causeway/config',
  data: '/var/lib/causeway',
  logs: '/var/log/causeway',
  sockets: '/run/causeway',
} as const;

/** The Service of a stateful workload that gives each replica its host name. */
export const governingService = (workload: Workload): string => workload.name;

export interface ServiceShape {
  readonly name: string;
  readonly ports: readonly Port[];
  readonly headless: boolean;
  /** Its addresses are those of all pods, ready or not. */
  readonly publishNotReady: boolean;
}

/**
 * A pod is ready when all its containers are. Who comes to a sidecar must not wait for the others: agents of konnectivity
 * that cannot connect to a new API server keep it from becoming ready. So a sidecar has a Service of its own, of all pods.
 */
export function servicesOf(workload: Workload): readonly ServiceShape[] {
  const [main] = workload.containers;
  const open = (ports: readonly Port[] = [], isOpen: (ingress: Ingress) => boolean = () => true): readonly Port[] =>
    ports.filter(({ name }) => workload.ingress.some((ingress) => ingress.port === name && isOpen(ingress)));
  const toOthers = ({ from }: Ingress): boolean => from.some((name) => name !== workload.name);
  const own = workload.stateful
    ? [
        // Members find each other before any of them is ready.
        { name: governingService(workload), ports: open(portsOf(workload)), headless: true, publishNotReady: true },
        {
          name: `${workload.name}-client`,
          ports: open(main?.ports, toOthers),
          headless: false,
          publishNotReady: false,
        },
      ]
    : [{ name: workload.name, ports: open(main?.ports), headless: false, publishNotReady: false }];
  const beside = sidecarsOf(workload).map((sidecar) => ({
    name: sidecar.name,
    ports: workload.stateful ? open(sidecar.ports, toOthers) : open(sidecar.ports),
    headless: false,
    publishNotReady: true,
  }));
  return [...own, ...beside].filter(({ ports, headless }) => headless || ports.length > 0);
}

/** By which others reach a port. */
export function clientService(workload: Workload, port: string): ServiceShape {
  const found = servicesOf(workload).find(
    ({ headless, ports }) => !headless && ports.some(({ name }) => name === port),
  );
  if (found === undefined) throw unresolved(workload.name, `nobody is let in at port ${port}`);
  return found;
}

export const hostOf = ({ namespace, dnsDomain = 'cluster.local' }: KubernetesInput, service: string): string =>
  `${service}.${namespace}.svc.${dnsDomain}`;

/** A replica of a stateful workload is a pod of this name. */
export const replicaName = (workload: Workload, ordinal: number): string => `${workload.name}-${ordinal}`;

export const portsOf = (workload: Workload): readonly Port[] => workload.containers.flatMap(({ ports }) => ports);

/** checkWorkloads has seen that it is there. */
export function byName<Entry extends { readonly name: string }>(entries: readonly Entry[], name: string): Entry {
  const found = entries.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`there is no ${name} among ${entries.map((entry) => entry.name)}`);
  return found;
}

export const unresolved = (where: string, what: string): CausewayError =>
  new CausewayError(
    'CW-KUBERNETES-WORKLOAD',
    `${where} cannot run on Kubernetes: ${what}`,
    'this is a mistake in the description of the workload (src/control-plane), not in the manifests: please report it',
  );
