import type { CausewayError } from '../../core/errors.ts';
import type { ClusterStatus } from '../../platform/index.ts';
import { programs } from '../../programs/catalogue/index.ts';
import { needPrograms, type Wanted } from '../../programs/index.ts';
import type { Log } from '../../sys/log.ts';

/** Once everything is ready: whoever types `causeway kubectl` then should not have to wait. `causeway kubectl` gets it itself otherwise. */
export async function prefetchKubectl(clusters: readonly ClusterStatus[], log: Log): Promise<void> {
  const wanted = new Set(['kubectl' as const, ...clusters.map(({ version }) => kubectlFor(version))]);
  try {
    await needPrograms([...wanted]);
  } catch (error) {
    const { message, fix } = error as CausewayError;
    log.warn('kubectl is not there', { why: message, fix });
  }
}

const [usual] = programs.kubectl.versions;

/** One minor version apart is what kubectl supports; further away the cluster's own version is taken. */
export const kubectlFor = (kubernetesVersion: string): Wanted =>
  Math.abs(minorOf(kubernetesVersion) - minorOf(usual)) <= 1 ? 'kubectl' : `kubectl@${kubernetesVersion}`;

const minorOf = (version: string): number => Number(version.split('.')[1]);
