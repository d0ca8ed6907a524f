// A cluster that was made before kubelets were asked for a certificate of the cluster: it asks for one from when all of its
// nodes have been given theirs. Until then logs and exec go to nodes as they did.
import type { ClusterRuntime } from '../cluster-runtime.ts';
import { readClusterState, writeClusterState } from '../cluster-state.ts';
import { kindOfNode, type Labelled } from '../own-nodes.ts';

/** Of a Node, written by whoever approves. A node that writes it itself loses its own logs, and nothing else. */
export const issuedMark = 'causeway.dev/kubelet-certificate';

export interface MarkedNode extends Labelled {
  readonly metadata: Labelled['metadata'] & { readonly annotations?: Readonly<Record<string, string>> };
}

/** True when it has become so now. */
export async function verifyWhenIssued(
  runtime: Pick<ClusterRuntime, 'store' | 'hasData'>,
  cluster: string,
  nodes: readonly MarkedNode[],
): Promise<boolean> {
  const state = await readClusterState(runtime);
  if (state === undefined || state.verifiesKubelets || !nodes.every((node) => hasOne(cluster, node))) return false;
  await writeClusterState(runtime.store, { ...state, verifiesKubelets: true });
  return true;
}

/** Demo nodes are served by the platform itself. */
const hasOne = (cluster: string, node: MarkedNode): boolean =>
  kindOfNode(cluster, node) === 'demo' || node.metadata.annotations?.[issuedMark] !== undefined;
