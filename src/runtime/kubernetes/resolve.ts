// Names of a Workload as Kubernetes has them: paths of mounts, numbers of ports, host names of Services.
import type { Container, Ref, Resolver, Text, Volume, Workload } from '../../control-plane/index.ts';
import {
  byName,
  clientService,
  directories,
  governingService,
  hostOf,
  type KubernetesInput,
  type Place,
  portsOf,
  replicaName,
  unresolved,
} from './names.ts';

/** Set by the kubelet, for each pod; named in arguments and environment as $(NAME). */
export const podVariables = { POD_NAME: 'metadata.name', POD_IP: 'status.podIP' } as const;

const loopback = '127.0.0.1';
const everywhere = '0.0.0.0';

interface Scene extends Place {
  readonly container: Container;
  /** What one replica is called and where it is. */
  readonly replica: { readonly name: () => string; readonly host: () => string };
}

/** In arguments and environment each replica has values of its own. */
export const resolverOf = (place: Place, container: Container): Resolver => {
  const { input, workload } = place;
  const host = workload.stateful ? `$(POD_NAME).${hostOf(input, governingService(workload))}` : '$(POD_IP)';
  return resolver({ ...place, container, replica: { name: () => '$(POD_NAME)', host: () => host } });
};

/** A ConfigMap is the same for all replicas: none of them can be named in it, unless there is one only. */
export const configResolverOf = (place: Place, container: Container): Resolver => {
  const { input, workload } = place;
  const only = (value: string) => (): string => {
    if (workload.stateful && workload.replicas === 1) return value;
    throw unresolved(`${workload.name}/${container.name}`, 'its config names one replica, and all replicas share it');
  };
  const name = replicaName(workload, 0);
  const host = `${name}.${hostOf(input, governingService(workload))}`;
  return resolver({ ...place, container, replica: { name: only(name), host: only(host) } });
};

type ByKind = { readonly [Kind in Ref['ref']]: (ref: Extract<Ref, { readonly ref: Kind }>) => string };

function resolver(scene: Scene): Resolver {
  const { input, workload, replica } = scene;
  const numberOf = (port: string): number => byName(portsOf(workload), port).number;
  const byKind: ByKind = {
    secret: ({ name, key }) => `${directories.secrets}/${name}/${key}`,
    config: ({ name }) => `${directories.configs}/${name}`,
    volume: ({ name, file }) =>
      [volumeDirectory(byName(workload.volumes, name)), ...(file === undefined ? [] : [file])].join('/'),
    port: ({ port }) => String(numberOf(port)),
    bind: ({ port }) => bindAddress(workload, port),
    listen: ({ port }) => `${bindAddress(workload, port)}:${numberOf(port)}`,
    peer: ({ workload: peer, port }) =>
      // Containers of one pod share its network.
      peer === workload.name ? `${loopback}:${numberOf(port)}` : peerAddress(input, peer, port),
    replica: () => replica.name(),
    self: ({ port }) => `${replica.host()}:${openPort(scene, port)}`,
    members: ({ port, scheme }) => {
      const host = hostOf(input, governingService(workload));
      if (!workload.stateful)
        throw refusal(scene, 'it names its replicas, and only those of stateful workloads have names');
      return Array.from({ length: workload.replicas }, (_, ordinal) => replicaName(workload, ordinal))
        .map((name) => `${name}=${scheme}://${name}.${host}:${openPort(scene, port)}`)
        .join(',');
    },
  };
  return (ref) => (byKind[ref.ref] as (ref: Ref) => string)(ref);
}

const refusal = ({ workload, container }: Scene, why: string): Error =>
  unresolved(`${workload.name}/${container.name}`, why);

/** Of what others are told to connect to. */
function openPort(scene: Scene, port: string): number {
  const isOpen = scene.workload.ingress.some((each) => each.port === port);
  if (!isOpen) throw refusal(scene, `others are told to come to port ${port}, and nobody is let in there`);
  return byName(portsOf(scene.workload), port).number;
}

export const volumeDirectory = ({ kind, name }: Volume): string => `${directories[kind]}/${name}`;

/** The kubelet asks from outside of the pod, and so do those who are let in; nobody else needs to reach it. */
function bindAddress({ containers, ingress }: Workload, name: string): string {
  const isProbed = containers.some(({ probes }) => probes.ready.port === name || probes.live?.port === name);
  return isProbed || ingress.some(({ port }) => port === name) ? everywhere : loopback;
}

function peerAddress(input: KubernetesInput, peer: string, port: string): string {
  const other = byName(input.workloads, peer);
  return `${hostOf(input, clientService(other, port).name)}:${byName(portsOf(other), port).number}`;
}

/** Kubernetes replaces $(NAME) in arguments and environment; what a workload says itself stays as it is. */
export function escaped(value: Text): Text {
  if (typeof value === 'string') return escapeDollar(value);
  if ('ref' in value) return value;
  return { join: value.join.map((part) => (typeof part === 'string' ? escapeDollar(part) : part)) };
}

const escapeDollar = (literal: string): string => literal.replaceAll('$', '$$$$');
