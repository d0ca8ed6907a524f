// A Workload is one part of a platform as data: what runs, with which arguments, ports, files and probes. It names ports,
// files, sockets and peers and holds no path, no address and no process id: a runtime resolves the names, to processes of
// this machine (runtime/local) or to objects of Kubernetes (runtime/kubernetes).
import { dump } from 'js-yaml';
import type { ProgramName } from '../programs/catalogue/index.ts';

export interface Workload {
  /** etcd, kube-apiserver … Unique among the workloads of one cluster; its peers refer to it by this name. */
  readonly name: string;
  /** How many of it run. A runtime that can have one only refuses more; the plan already knows what it can have. */
  readonly replicas: number;
  /** Each replica keeps its name and its volumes of kind `data`. */
  readonly stateful: boolean;
  /** The first is the workload itself, the others are its sidecars: they share its sockets and volumes. */
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
  /** Who may connect to which of its ports; to all others nobody may. */
  readonly ingress: readonly Ingress[];
}

/** Containers that run beside the workload itself. */
export const sidecarsOf = ({ containers }: Workload): readonly Container[] => containers.slice(1);

export interface Container {
  readonly name: string;
  readonly program: { readonly name: ProgramName; readonly version?: string };
  readonly args: readonly Text[];
  readonly env?: Readonly<Record<string, Text>>;
  readonly ports: readonly Port[];
  readonly mounts: readonly Mount[];
  readonly probes: Probes;
  readonly resources: Resources;
  /** Containers, of this or of other workloads, that must answer before it starts, ready or not; they stop after it. */
  readonly needs?: readonly string[];
  /** The same of those that it waits for by itself: they need only be under way. */
  readonly after?: readonly string[];
  /** What it reads once only: another value is another container, so it is started anew. */
  readonly restartOn?: Readonly<Record<string, string>>;
  /** How long it may take to end after SIGTERM. @default 10000 */
  readonly stopMs?: number;
  /** How long it may take to be healthy for the first time. @default 60000 */
  readonly startMs?: number;
}

export interface Port {
  /** Unique in its workload: peers refer to it by this name. */
  readonly name: string;
  /** Where each workload has an address of its own. On one machine the runtime chooses a free one. */
  readonly number: number;
}

/** A file or a directory that the container sees. References name the mount. */
export type Mount =
  /** One value of a Secret: keys and certificates. It is renewed under the program, which reads it again (see `restartOn`). */
  | { readonly kind: 'secret'; readonly name: string; readonly key: string }
  /** A configuration file that the workload brings with it; `reloads` where the program reads it again by itself. */
  | { readonly kind: 'config'; readonly name: string; readonly content: Content; readonly reloads?: boolean }
  | { readonly kind: 'volume'; readonly name: string; readonly readOnly?: boolean };

export type Content = { readonly text: Text } | { readonly json: Tree } | { readonly yaml: Tree };
export type Tree = Text | number | boolean | readonly Tree[] | { readonly [key: string]: Tree };

export interface Volume {
  readonly name: string;
  /** `data` outlives the container and the machine's restart; `logs` are kept as long as there is room; `sockets` are made anew. */
  readonly kind: 'data' | 'logs' | 'sockets';
  /** Of `data`. */
  readonly size?: string;
}

export interface Ingress {
  readonly port: string;
  /** Workloads of the same cluster, or `gateway`, the shared entry of the seed. */
  readonly from: readonly string[];
}

export interface Probes {
  /** It answers and can be used. */
  readonly ready: Probe;
  /** It can still get well by itself; where this fails it is started anew. It must not depend on a peer. */
  readonly live?: Probe;
}

/** How one sees that it works. Asked again and again, for as long as it runs. */
export type Probe =
  | { readonly kind: 'tcp'; readonly port: string }
  | { readonly kind: 'http'; readonly port: string; readonly path: string }
  /** `ca` names a mounted file. */
  | { readonly kind: 'https'; readonly port: string; readonly path: string; readonly ca: FileRef };

export interface Resources {
  readonly cpu: string;
  readonly memory: string;
}

/** A text in which names are still to be resolved. */
export type Text = string | Ref | { readonly join: readonly (string | Ref)[] };

export interface FileRef {
  readonly ref: 'secret';
  readonly name: string;
  readonly key: string;
}

export type Ref =
  | FileRef
  /** The file of a config mount of this container. */
  | { readonly ref: 'config'; readonly name: string }
  /** The directory of a volume, or a file below it. */
  | { readonly ref: 'volume'; readonly name: string; readonly file?: string }
  /** The number of a port of this workload. */
  | { readonly ref: 'port'; readonly port: string }
  /** The address to listen on, without a port. */
  | { readonly ref: 'bind'; readonly port: string }
  /** The same as host:port. */
  | { readonly ref: 'listen'; readonly port: string }
  /** host:port of a peer's port, as this container reaches it; a sidecar names its own workload so. */
  | { readonly ref: 'peer'; readonly workload: string; readonly port: string }
  /** The name of this replica, which is stable where the workload is stateful. */
  | { readonly ref: 'replica' }
  /** host:port under which the other replicas reach this port of this one. */
  | { readonly ref: 'self'; readonly port: string }
  /** name=scheme://host:port of every replica, separated by commas. */
  | { readonly ref: 'members'; readonly port: string; readonly scheme: 'https' };

export const secretRef = (name: string, key: string): FileRef => ({ ref: 'secret', name, key });
export const configRef = (name: string): Ref => ({ ref: 'config', name });
export const volumeRef = (name: string, file?: string): Ref => ({ ref: 'volume', name, ...(file && { file }) });
export const portRef = (port: string): Ref => ({ ref: 'port', port });
export const bindRef = (port: string): Ref => ({ ref: 'bind', port });
export const listenRef = (port: string): Ref => ({ ref: 'listen', port });
export const selfRef = (port: string): Ref => ({ ref: 'self', port });
export const peerRef = (workload: string, port: string): Ref => ({ ref: 'peer', workload, port });

/** A text around references: text`https://${peer}`. */
export const text = (strings: TemplateStringsArray, ...refs: readonly (string | Ref)[]): Text => ({
  join: strings.flatMap((part, at) => [part, ...refs.slice(at, at + 1)]).filter((part) => part !== ''),
});

/** How one runtime resolves names, in one container. */
export type Resolver = (ref: Ref) => string;

export function resolveText(value: Text, resolver: Resolver): string {
  if (typeof value === 'string') return value;
  if ('ref' in value) return resolver(value);
  return value.join.map((part) => (typeof part === 'string' ? part : resolver(part))).join('');
}

export function resolveContent(content: Content, resolver: Resolver): string {
  if ('text' in content) return resolveText(content.text, resolver);
  if ('yaml' in content) return dump(resolveTree(content.yaml, resolver), { lineWidth: -1 });
  return `${JSON.stringify(resolveTree(content.json, resolver), undefined, 2)}\n`;
}

function resolveTree(tree: Tree, resolver: Resolver): unknown {
  if (typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map((part) => resolveTree(part as Tree, resolver));
  if (isText(tree)) return resolveText(tree, resolver);
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, resolveTree(value as Tree, resolver)]));
}

const isText = (tree: object): tree is Exclude<Text, string> => 'ref' in tree || 'join' in tree;

/** All references of a container: in its arguments, environment, configs and probes. */
export function refsOf({ args, env = {}, mounts, probes }: Container): Ref[] {
  const found: Ref[] = [];
  const collect: Resolver = (ref) => {
    found.push(ref);
    return '';
  };
  for (const value of [...args, ...Object.values(env)]) resolveText(value, collect);
  for (const mount of mounts) if (mount.kind === 'config') resolveContent(mount.content, collect);
  for (const probe of [probes.ready, probes.live])
    if (probe !== undefined) found.push(portRef(probe.port), ...(probe.kind === 'https' ? [probe.ca] : []));
  return found;
}

/** With a mount for each secret that is referred to, so that none is written twice. */
export function withSecretMounts(container: Container): Container {
  const secrets = refsOf(container).filter((ref) => ref.ref === 'secret');
  const named = new Map(
    secrets.map(({ name, key }): [string, Mount] => [`${name}/${key}`, { kind: 'secret', name, key }]),
  );
  return { ...container, mounts: [...named.values(), ...container.mounts] };
}
