// Makes the machine that the worker is: networks, firewall, files, control group. What is whole stays, so that a worker
// that outlived us goes on; what is not is made anew.
import { mkdir, writeFile } from 'node:fs/promises';
import type { Log } from '../../../../sys/log.ts';
import { hostsFile, type WorkerAddresses, workerAddresses } from './addresses.ts';
import { pauseImage } from './containerd.ts';
import { createControlGroup } from './control-groups.ts';
import { dockerImage, pauseProgram } from './images.ts';
import { pauseImageFile } from './kubelet.ts';
import type { Layout } from './layout.ts';
import { createMounts, hasMounts, writeNames } from './mounts.ts';
import { createNetwork, hasNetwork, loadFirewall } from './network.ts';
import type { RealWorkerInput } from './parts.ts';
import { claim, isClaimed, release, releaseAbandoned } from './registry.ts';

export async function prepare(layout: Layout, input: RealWorkerInput, log: Log): Promise<WorkerAddresses> {
  const { cluster, planned, endpoint } = input;
  const { plan, model } = planned;
  const addresses = workerAddresses(layout.id, cluster, plan, model);
  await releaseAbandoned(log);
  if (!(await isWhole(layout, addresses))) {
    await release(layout);
    await create(layout, addresses);
    log.info(`made the network of the real worker: ${addresses.inPlan}, in namespace ${layout.worker}`);
  }
  await writeNames(layout, hostsFile(endpoint, plan));
  await loadFirewall(layout, addresses.inPlan, plan);
  return addresses;
}

const isWhole = async (layout: Layout, addresses: WorkerAddresses): Promise<boolean> =>
  hasNetwork(layout) && (await hasMounts(layout)) && (await isClaimed({ layout, addresses }));

async function create(layout: Layout, addresses: WorkerAddresses): Promise<void> {
  await claim({ layout, addresses });
  await mkdir(layout.root, { recursive: true, mode: 0o700 });
  await mkdir(layout.run, { recursive: true, mode: 0o700 });
  await writeFile(pauseImageFile(layout.root), dockerImage({ name: pauseImage, program: pauseProgram() }));
  createControlGroup(layout.controlGroup);
  await createNetwork(layout, addresses);
  await createMounts(layout);
}
