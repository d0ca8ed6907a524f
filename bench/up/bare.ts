// The peer: the very programs of the platform's control planes, with the same arguments and data, all started at once by
// hand. Whoever ends because another is not there yet is started again at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { reviewPath } from '../../src/cli/pipeline.ts';
import { type ComponentSpec, controlPlaneWorkloads, ensurePki } from '../../src/control-plane/index.ts';
import { controlPlaneInput } from '../../src/platform/index.ts';
import { needPrograms } from '../../src/programs/index.ts';
import { clusterHome, platformHome } from '../../src/runtime/local/home.ts';
import { createProber, localCluster, rememberPorts } from '../../src/runtime/local/index.ts';

const programs = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'konnectivity-server',
] as const;

/** How long it takes until all of them answer; they are ended again afterwards. */
export async function startBare(directory: string): Promise<number> {
  const specs = await specsOf(directory);
  const files: Record<string, string> = await needPrograms(programs);
  const children = new Set<ChildProcess>();
  let over = false;
  const start = (spec: ComponentSpec): void => {
    const file = 'file' in spec.program ? spec.program.file : (files[spec.program.name] ?? '');
    const child = spawn(file, spec.args, { stdio: 'ignore', env: { ...spec.env, PATH: process.env.PATH } });
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      if (!over) start(spec);
    });
  };
  const began = performance.now();
  for (const spec of specs) start(spec);
  await Promise.all(specs.map(answers));
  const took = performance.now() - began;
  over = true;
  await endAll(children);
  return took;
}

async function specsOf(directory: string): Promise<ComponentSpec[]> {
  const { planned } = await reviewPath(directory);
  if (planned === undefined) throw new Error('the manifests cannot be read');
  const home = platformHome(directory);
  const specs = planned.model.clusters.map(async (cluster) => {
    const own = clusterHome(home, cluster.metadata.name);
    const input = controlPlaneInput(planned, cluster);
    if (input === undefined) throw new Error(`${cluster.metadata.name} has no plan`);
    const runtime = localCluster({ cluster: input.cluster, home: own, ports: await rememberPorts(own) });
    const { marks } = await ensurePki(input, runtime, { now: Date.now });
    return runtime.resolve(controlPlaneWorkloads({ ...input, marks, podSecurity: 'baseline', verifiesKubelets: true }));
  });
  return (await Promise.all(specs)).flat();
}

async function answers({ probe }: ComponentSpec): Promise<void> {
  if (probe.kind === 'alive') return;
  const prober = createProber(probe);
  while (!(await prober.ask(0)).healthy) await sleep(50);
  prober.close();
}

async function endAll(children: ReadonlySet<ChildProcess>): Promise<void> {
  const ended = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of children) child.kill('SIGTERM');
  const killer = setTimeout(() => {
    for (const child of children) child.kill('SIGKILL');
  }, 15_000);
  await Promise.all(ended);
  clearTimeout(killer);
}
