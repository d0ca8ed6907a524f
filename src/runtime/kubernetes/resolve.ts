// Names of a Workload as Kubernetes has them: paths of mounts, numbers of ports, host names of Services.
import type { Container, Mount, Port, Ref, Resolver, Text, Volume, Workload } from '../../control-plane/workload.ts';
import {
  directories,
  governingService,
  hostOf,
  type Place,
  portsOf,
  replicaName,
  serviceOfPort,
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
    throw unresolved(`${workload.name}/${container.name}`, 'a config names one replica, and all replicas share it');
  };
  const name = replicaName(workload, 0);
  const host = `${name}.${hostOf(input, governingService(workload))}`;
  return resolver({ ...place, container, replica: { name: only(name), host: only(host) } });
};

type ByKind = { readonly [Kind in Ref['ref']]: (ref: Extract<Ref, { readonly ref: Kind }>) => string };

function resolver(scene: Scene): Resolver {
  const { input, workload, container, replica } = scene;
  const numberOf = (port: string): number => portOf(scene, port).number;
  const byKind: ByKind = {
    secret: ({ name, key }) => {
      mountOf(scene, `value ${key} of the Secret ${name}`, (mount) => isSecret(mount, name, key));
      return `${directories.secrets}/${name}/${key}`;
    },
    config: ({ name }) => {
      mountOf(scene, `config ${name}`, (mount) => mount.kind === 'config' && mount.name === name);
      return `${directories.configs}/${name}`;
    },
    volume: ({ name, file }) => {
      mountOf(scene, `volume ${name}`, (mount) => mount.kind === 'volume' && mount.name === name);
      return [volumeDirectory(volumeOf(scene, name)), ...(file === undefined ? [] : [file])].join('/');
    },
    port: ({ port }) => String(numberOf(port)),
    bind: ({ port }) => bindAddress(workload, portOf(scene, port)),
    listen: ({ port }) => `${bindAddress(workload, portOf(scene, port))}:${numberOf(port)}`,
    peer: ({ workload: peer, port }) =>
      // Containers of one pod share its network.
      peer === workload.name ? `${loopback}:${numberOf(port)}` : peerAddress(scene, peer, port),
    replica: () => replica.name(),
    self: ({ port }) => {
      letsIn(scene, workload, port);
      return `${replica.host()}:${numberOf(port)}`;
    },
    members: ({ port, scheme }) => {
      const host = hostOf(input, governingService(workload));
      if (!workload.stateful) throw missing(scene, 'names for its replicas, because it is not stateful');
      letsIn(scene, workload, port, workload.name);
      return Array.from({ length: workload.replicas }, (_, ordinal) => replicaName(workload, ordinal))
        .map((name) => `${name}=${scheme}://${name}.${host}:${numberOf(port)}`)
        .join(',');
    },
  };
  return (ref) => (byKind[ref.ref] as (ref: Ref) => string)(ref);
  function mountOf(of: Scene, what: string, isIt: (mount: Mount) => boolean): void {
    if (!container.mounts.some(isIt)) throw missing(of, what);
  }
}

const isSecret = (mount: Mount, name: string, key: string): boolean =>
  mount.kind === 'secret' && mount.name === name && mount.key === key;

const missing = ({ workload, container }: Scene, what: string): Error =>
  unresolved(`${workload.name}/${container.name}`, `it refers to what it does not have: ${what}`);

function portOf(scene: Scene, port: string): Port {
  const found = portsOf(scene.workload).find(({ name }) => name === port);
  if (found === undefined) throw missing(scene, `port ${port}`);
  return found;
}

function volumeOf(scene: Scene, name: string): Volume {
  const found = scene.workload.volumes.find((volume) => volume.name === name);
  if (found === undefined) throw missing(scene, `volume ${name}`);
  return found;
}

export const volumeDirectory = ({ kind, name }: Volume): string => `${directories[kind]}/${name}`;

/** The kubelet asks from outside of the pod, and so do those who are let in; nobody else needs to reach it. */
function bindAddress({ containers, ingress }: Workload, { name }: Port): string {
  const isProbed = containers.some(({ probes }) => probes.ready.port === name || probes.live?.port === name);
  return isProbed || ingress.some(({ port }) => port === name) ? everywhere : loopback;
}

function peerAddress(scene: Scene, peer: string, port: string): string {
  const { input, workload } = scene;
  const other = input.workloads.find(({ name }) => name === peer);
  if (other === undefined) throw missing(scene, `a peer ${peer}`);
  letsIn(scene, other, port, workload.name);
  const service = serviceOfPort(other, port);
  const number = service?.ports.find(({ name }) => name === port)?.number;
  if (service === undefined || number === undefined) throw missing(scene, `port ${port} of ${peer}`);
  return `${hostOf(input, service.name)}:${number}`;
}

/** Whoever is not let in by a policy could not connect. @param from anybody, where it is absent */
function letsIn(scene: Scene, { name, ingress }: Workload, port: string, from?: string): void {
  const isIn = ingress.some((each) => each.port === port && (from === undefined || each.from.includes(from)));
  if (!isIn) throw missing(scene, `a way to port ${port} of ${name}, which does not let ${from ?? 'anybody'} in`);
}

/** Kubernetes replaces $(NAME) in arguments and environment; what a workload says itself stays as it is. */
export function escaped(value: Text): Text {
  if (typeof value === 'string') return escapeDollar(value);
  if ('ref' in value) return value;
  return { join: value.join.map((part) => (typeof part === 'string' ? escapeDollar(part) : part)) };
}

const escapeDollar = (literal: string): string => literal.replaceAll('$', '$$$$');
