import type { CausewayError } from '../../core/errors.ts';
import type { Log } from '../../net/log.ts';
import type { ClusterStatus } from '../../platform/view.ts';
import { needPrograms } from '../../programs/need-programs.ts';
import { kubectlFor } from './which-kubectl.ts';

/** Once everything is ready: whoever types `causeway kubectl` then should not have to wait. `causeway kubectl` gets it itself otherwise. */
export async function kubectlLater(clusters: readonly ClusterStatus[], log: Log): Promise<void> {
  const wanted = new Set(['kubectl' as const, ...clusters.map(({ version }) => kubectlFor(version))]);
  try {
    await needPrograms([...wanted]);
  } catch (error) {
    const { message, fix } = error as CausewayError;
    log.warn('kubectl is not there', { why: message, fix });
  }
}
