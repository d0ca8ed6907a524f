// What the components of a worker are made of: the same for all of them.
import type { ComponentSpec, ResolvedProbe, SpecFile } from '../../../../control-plane/index.ts';
import type { Model } from '../../../../model/schema/index.ts';
import type { Plan } from '../../../../plan/schema/index.ts';
import { needPrograms, type ProgramOptions, type Wanted } from '../../../../programs/index.ts';
import type { NodeCredentials } from '../../../platform-runtime.ts';
import type { WorkerInput } from '../worker-input.ts';
import type { WorkerAddresses } from './addresses.ts';
import { type Layout, namespaceFile, onWorker } from './layout.ts';
import { systemPath, type Tool } from './machine.ts';

export interface WorkerParts {
  readonly layout: Layout;
  readonly input: RealWorkerInput;
  readonly secrets: Secrets;
  readonly addresses: WorkerAddresses;
  readonly programs: WorkerPrograms;
  readonly tools: Readonly<Record<Tool, string>>;
}

type OwnSpec = Pick<ComponentSpec, 'name' | 'needs' | 'stopMs'> & {
  readonly command: readonly string[];
  readonly files?: readonly SpecFile[];
  /** Where it tells how it is, on the worker's own loopback or at a unix socket; absent: it counts as healthy while it lives. */
  readonly health?: { readonly path: string } & (
    | { readonly port: number; readonly socketPath?: undefined }
    | { readonly socketPath: string; readonly port?: undefined }
  );
};

/** A program on the worker. */
export function workerComponent(parts: WorkerParts, { command, health, ...spec }: OwnSpec): ComponentSpec {
  const [, ...entering] = onWorker(parts.layout);
  return {
    ...spec,
    scope: `worker/${parts.input.cluster}`,
    program: { file: parts.tools.nsenter },
    args: [...entering, ...command],
    env: { PATH: systemPath },
    probe: health === undefined ? { kind: 'alive', ms: 1_500 } : probeOf(parts, health),
  };
}

/** Needs nothing but the shell: there is no other client that every machine has. */
const askHealth = `exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 2
printf 'GET %s HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' "$2" >&3
read -r _ status _ <&3 || exit 2
[ "$status" = 200 ] && exit 0
echo "it answers $status"
exit 1`;

/** Nobody outside can ask it, because nothing leads from the seed to a worker. (bash takes a socket as its input for a login.) */
function probeOf(
  { layout, tools }: WorkerParts,
  { port, socketPath, path }: NonNullable<OwnSpec['health']>,
): ResolvedProbe {
  if (socketPath !== undefined) return { kind: 'http', url: `http://worker${path}`, socketPath };
  const entering = `--net=${namespaceFile(layout.worker)}`;
  return {
    kind: 'command',
    file: tools.nsenter,
    args: [entering, tools.bash, '--norc', '-c', askHealth, 'bash', `${port}`, path],
  };
}

/** JSON is YAML, and every program of Kubernetes reads it. */
export const jsonFile = (path: string, value: unknown): SpecFile => ({
  path,
  text: `${JSON.stringify(value, null, 2)}\n`,
});

/** Programs read it again by themselves. */
export const tokenFile = (path: string, token: string): SpecFile => ({ path, text: token, reloads: true });

// What a real worker is made from: what demo workers are made from, and the whole plan for its firewall.

export interface RealWorkerInput
  extends Omit<WorkerInput, 'nodes' | 'networks' | 'proxy' | 'credentials' | 'kubeletCertificate'> {
  readonly planned: { readonly plan: Plan; readonly model: Model };
  /** Asked again before they end. */
  credentials(): Promise<RealNodeCredentials>;
}

/** All that a machine gets to become a worker. */
interface RealNodeCredentials extends Omit<NodeCredentials, 'user'> {
  /** As kubeadm's: id.secret. */
  readonly bootstrapToken: string;
  /** Of the service account of kube-proxy. */
  readonly kubeProxyToken: string;
}

/** What it was given, at the time when its components are described. */
export interface Secrets extends RealNodeCredentials {
  /** PEM: who vouches for the gateway. */
  readonly gatewayCa: string;
  readonly tunnelToken: string;
}

// The programs of a worker: containerd and the network's plugins as we know them, Kubernetes' own in the cluster's version.

const common = [
  'containerd',
  'containerd-shim-runc-v2',
  'ctr',
  'bridge',
  'host-local',
  'loopback',
  'konnectivity-agent',
] as const satisfies readonly Wanted[];
const ofKubernetes = ['kubelet', 'kube-proxy'] as const satisfies readonly Wanted[];

type WorkerProgram = (typeof common)[number] | (typeof ofKubernetes)[number];
type WorkerPrograms = Readonly<Record<WorkerProgram, string>>;

export async function getPrograms(version: string, options?: ProgramOptions): Promise<WorkerPrograms> {
  const versioned = ofKubernetes.map((name): Wanted => `${name}@${version}`);
  const found = await needPrograms([...common, ...versioned], options);
  const plain = Object.entries(found).map(([name, file]) => [name.replace(/@.*/, ''), file]);
  return Object.fromEntries(plain) as WorkerPrograms;
}
