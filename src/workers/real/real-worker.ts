// One real worker: kubelet, containerd and kube-proxy on a network of its own, behind the firewall of the plan.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Driver, Observed, Scope } from '../../control-plane/component.ts';
import type { PlatformHome } from '../../control-plane/home.ts';
import { CausewayError } from '../../core/errors.ts';
import type { Log } from '../../net/log.ts';
import { needPrograms, type Wanted } from '../../programs/need-programs.ts';
import type { ProgramOptions } from '../../programs/surroundings.ts';
import { hostsFile, type WorkerAddresses, workerAddresses } from './addresses.ts';
import { konnectivityAgent, nodeAgent } from './agents.ts';
import { containerd, pauseImage } from './containerd.ts';
import { createControlGroup } from './control-groups.ts';
import { dockerImage } from './docker-image.ts';
import { loadFirewall } from './firewall.ts';
import type { RealWorkerInput } from './input.ts';
import { kubeProxy } from './kube-proxy.ts';
import { kubelet, pauseImageFile } from './kubelet.ts';
import { type Layout, layoutOf } from './layout.ts';
import { needKernel, needTools } from './machine.ts';
import { createMounts, hasMounts } from './mounts.ts';
import { createNetwork, hasNetwork } from './network.ts';
import { kubernetesPrograms, nodeName, type WorkerParts, type WorkerProgram, workerPrograms } from './parts.ts';
import { pauseProgram } from './pause-program.ts';
import { claim, release, sweepAbandoned } from './registry.ts';
import { sweep } from './sweep.ts';

export interface RealWorkerOptions {
  readonly driver: Driver;
  readonly home: PlatformHome;
  readonly cluster: string;
  readonly log: Log;
  readonly programs?: ProgramOptions;
}

export interface RealWorker {
  /** Brings it to what is wanted; throws a `CausewayError` where this machine cannot have one. */
  reconcile(input: RealWorkerInput): Promise<void>;
  look(): RealWorkerState;
  /** Ends it; the node's identity and its images stay for the next start. */
  stop(): Promise<void>;
  /** Ends it and forgets it. */
  remove(): Promise<void>;
}

export interface RealWorkerState {
  /** Name of its node. */
  readonly node: string;
  /** All of its programs run; whether the node is Ready is for the API server to say. */
  readonly running: boolean;
  readonly reason?: string;
}

export function createRealWorker(options: RealWorkerOptions): RealWorker {
  const { driver, home, cluster, log } = options;
  const layout = layoutOf(home, cluster);
  const scope: Scope = `worker/${cluster}`;
  let doing = 'it has not been started';
  const reconcile = async (input: RealWorkerInput): Promise<void> => {
    const tools = needTools();
    await needKernel();
    doing = 'its programs are being fetched or built';
    const programs = await getPrograms(input.kubernetesVersion, options.programs);
    doing = 'its network is being made';
    const addresses = await prepare(layout, input, log);
    driver.apply(scope, componentsOf({ layout, input, tools, programs, addresses, endpoint: endpointOf(input) }));
    doing = '';
  };
  const stop = async (): Promise<void> => {
    doing = 'it was stopped';
    await driver.remove(scope);
    await sweep(layout);
    await release(layout);
  };
  return {
    reconcile,
    look: () => ({ node: nodeName(cluster), ...stateOf(doing, driver.look(), scope) }),
    stop,
    remove: async () => {
      await stop();
      await rm(layout.root, { recursive: true, force: true });
    },
  };
}

async function getPrograms(version: string, options?: ProgramOptions): Promise<Record<WorkerProgram, string>> {
  const own = await needPrograms(workerPrograms, options);
  const wanted = kubernetesPrograms.map((name): Wanted => `${name}@${version}`);
  const kubernetes = await needPrograms(wanted, options);
  const files = kubernetesPrograms.map((name) => [name, kubernetes[`${name}@${version}`]]);
  return { ...own, ...Object.fromEntries(files) };
}

function endpointOf({ plan, cluster }: RealWorkerInput): WorkerParts['endpoint'] {
  const endpoint = plan.endpoints[cluster];
  if (endpoint?.kubeconfigServer != null && endpoint.konnectivity.host !== null) return endpoint;
  throw new CausewayError(
    'CW-REAL-ENDPOINT',
    `a worker of ${cluster} has nothing to dial: the plan has no address of its control plane yet`,
    'causeway plan shows what is missing',
  );
}

/** What is whole stays, so that a worker that outlived us goes on; what is not is made anew. */
async function prepare(layout: Layout, input: RealWorkerInput, log: Log): Promise<WorkerAddresses> {
  const { cluster, plan, model } = input;
  const addresses = workerAddresses(layout.id, cluster, plan, model);
  await sweepAbandoned(log);
  if (!(hasNetwork(layout) && (await hasMounts(layout)))) {
    await sweep(layout);
    await claim(layout);
    await create(layout, addresses, hostsFile(endpointOf(input), plan));
    log.info(`made the network of the real worker: ${addresses.inPlan}, in namespace ${layout.worker}`);
  }
  await loadFirewall(layout, addresses.inPlan, plan, model);
  return addresses;
}

async function create(layout: Layout, addresses: WorkerAddresses, hosts: string): Promise<void> {
  await mkdir(layout.root, { recursive: true, mode: 0o700 });
  await mkdir(layout.run, { recursive: true, mode: 0o700 });
  await writeFile(pauseImageFile(layout.root), dockerImage({ name: pauseImage, program: pauseProgram() }));
  createControlGroup(layout.controlGroup);
  await createNetwork(layout, addresses);
  await createMounts(layout, hosts);
}

const componentsOf = (parts: WorkerParts) => [
  containerd(parts),
  kubelet(parts),
  kubeProxy(parts),
  konnectivityAgent(parts),
  ...nodeAgent(parts),
];

function stateOf(doing: string, all: readonly Observed[], scope: Scope): Pick<RealWorkerState, 'running' | 'reason'> {
  if (doing !== '') return { running: false, reason: doing };
  const ill = all.find((one) => one.scope === scope && !one.healthy);
  return ill === undefined ? { running: true } : { running: false, reason: `${ill.name}: ${ill.why ?? ill.phase}` };
}
