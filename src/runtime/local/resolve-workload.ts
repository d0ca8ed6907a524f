// Workloads as components of the supervisor: names become files below the home of the cluster, and ports on loopback
// that were chosen for it. Each container is a component of its own; sidecars share nothing but files and sockets.
// Of a Workload it does not read: `stateful` (a component keeps its files anyway), `ingress` (nothing is bound but
// loopback), `resources`, `probes.live` (one probe is asked; who does not answer it for long is ended, see monitor.ts) and a volume's `size`.
import path from 'node:path';
import {
  type ComponentSpec,
  type Container,
  type Mount,
  type Probe,
  type Ref,
  type ResolvedProbe,
  type Resolver,
  resolveContent,
  resolveText,
  type Scope,
  type SpecFile,
  type Workload,
} from '../../control-plane/index.ts';
import { hostPort } from '../../core/host-port.ts';
import { fileOf } from './file-store.ts';
import type { ClusterHome, ClusterPlace } from './home.ts';
import type { InnerPorts } from './ports.ts';

/** What is made public only by way of the gateway is bound here. */
export const loopback = '127.0.0.1';

export const resolveWorkloads = (workloads: readonly Workload[], place: ClusterPlace): ComponentSpec[] =>
  workloads.flatMap((workload) => resolveWorkload(workload, place));

function resolveWorkload(workload: Workload, place: ClusterPlace): ComponentSpec[] {
  if (workload.replicas !== 1)
    throw new Error(`${workload.name} is to run ${workload.replicas} times: this machine runs one of each`);
  const resolver = resolverOf(workload, place);
  return workload.containers.map((container) => componentOf(container, `cluster/${place.cluster}`, place, resolver));
}

function componentOf(container: Container, scope: Scope, { home }: ClusterPlace, resolver: Resolver): ComponentSpec {
  const { name, program, needs, after, stopMs, startMs, mounts } = container;
  const env = { ...resolvedEnv(container, resolver), ...container.restartOn };
  const files = mounts.flatMap((mount) => (mount.kind === 'config' ? [specFile(mount, home, resolver)] : []));
  return {
    scope,
    name,
    program,
    args: container.args.map((arg) => resolveText(arg, resolver)),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(files.length === 0 ? {} : { files }),
    directories: [...new Set(mounts.flatMap((mount) => directoryOf(mount, home, resolver)))],
    ...(needs === undefined ? {} : { needs }),
    ...(after === undefined ? {} : { after }),
    probe: probeOf(container.probes.ready, resolver),
    ...(stopMs === undefined ? {} : { stopMs }),
    ...(startMs === undefined ? {} : { startMs }),
  };
}

const resolvedEnv = ({ env = {} }: Container, resolver: Resolver): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, resolveText(value, resolver)]));

const configFile = (home: ClusterHome, name: string): string => path.join(home.config, name);

function specFile(mount: Extract<Mount, { kind: 'config' }>, home: ClusterHome, resolver: Resolver): SpecFile {
  const { name, content, reloads } = mount;
  const file = { path: configFile(home, name), text: resolveContent(content, resolver) };
  return reloads ? { ...file, reloads } : file;
}

/** Those that it writes to. Keys are there before it starts. */
function directoryOf(mount: Mount, home: ClusterHome, resolver: Resolver): string[] {
  if (mount.kind === 'config') return [home.config];
  if (mount.kind === 'secret' || mount.readOnly) return [];
  return [resolver({ ref: 'volume', name: mount.name })];
}

function probeOf(probe: Probe, resolver: Resolver): ResolvedProbe {
  const address = resolver({ ref: 'self', port: probe.port });
  if (probe.kind === 'tcp')
    return { kind: 'tcp', host: loopback, port: Number(resolver({ ref: 'port', port: probe.port })) };
  const url = `${probe.kind}://${address}${probe.path}`;
  return probe.kind === 'http' ? { kind: 'http', url } : { kind: 'http', url, tls: { ca: resolver(probe.ca) } };
}

function resolverOf(workload: Workload, place: ClusterPlace): Resolver {
  const { home } = place;
  const at = (port: string): string => loopbackAddress(place, workload.name, port);
  return (ref) => {
    switch (ref.ref) {
      case 'secret':
        return fileOf(home, ref);
      case 'config':
        return configFile(home, ref.name);
      case 'volume':
        return volumeFile(workload, home, ref);
      case 'port':
        return String(portOf(place, workload.name, ref.port));
      case 'bind':
        return loopback;
      case 'listen':
      case 'self':
        return at(ref.port);
      case 'peer':
        return loopbackAddress(place, ref.workload, ref.port);
      case 'replica':
        return workload.name;
      case 'members':
        return `${workload.name}=${ref.scheme}://${at(ref.port)}`;
    }
  };
}

function volumeFile(workload: Workload, home: ClusterHome, { name, file }: Extract<Ref, { ref: 'volume' }>): string {
  const kind = workload.volumes.find((volume) => volume.name === name)?.kind;
  if (kind === undefined) throw new Error(`${workload.name} has no volume ${name}`);
  // The path of a socket may have only 107 bytes, so its name is shorter here, and one directory holds those of all clusters.
  if (kind === 'sockets') return file === undefined ? path.dirname(home.konnectivitySocket) : home.konnectivitySocket;
  const directory = kind === 'logs' ? home.logs : path.join(home.root, workload.name);
  return file === undefined ? directory : path.join(directory, file);
}

/** By workload and port. */
const chosen: Readonly<Record<string, keyof InnerPorts>> = {
  'etcd/client': 'etcdClient',
  'etcd/peer': 'etcdPeer',
  'etcd/metrics': 'etcdMetrics',
  'kube-apiserver/https': 'apiServer',
  'kube-apiserver/konnectivity': 'konnectivityAgents',
  'kube-apiserver/admin': 'konnectivityAdmin',
  'kube-apiserver/health': 'konnectivityHealth',
  'kube-controller-manager/https': 'controllerManager',
  'kube-scheduler/https': 'scheduler',
};

export const loopbackAddress = (place: ClusterPlace, workload: string, port: string): string =>
  hostPort(loopback, portOf(place, workload, port));

function portOf({ ports }: ClusterPlace, workload: string, port: string): number {
  const name = chosen[`${workload}/${port}`];
  if (name === undefined) throw new Error(`no port is chosen for ${port} of ${workload}`);
  return ports[name];
}
