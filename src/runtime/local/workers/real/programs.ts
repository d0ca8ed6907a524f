// The programs of a worker: containerd and the network's plugins as we know them, Kubernetes' own in the cluster's version.
import { needPrograms, type Wanted } from '../../../../programs/need-programs.ts';
import type { ProgramOptions } from '../../../../programs/surroundings.ts';

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

export type WorkerProgram = (typeof common)[number] | (typeof ofKubernetes)[number];
export type WorkerPrograms = Readonly<Record<WorkerProgram, string>>;

export async function getPrograms(version: string, options?: ProgramOptions): Promise<WorkerPrograms> {
  const versioned = ofKubernetes.map((name): Wanted => `${name}@${version}`);
  const found = await needPrograms([...common, ...versioned], options);
  const plain = Object.entries(found).map(([name, file]) => [name.replace(/@.*/, ''), file]);
  return Object.fromEntries(plain) as WorkerPrograms;
}
