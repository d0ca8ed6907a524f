// Nodes and pods without containers: kwok keeps them alive in the API server, over the worker's own way to it.

import { type ComponentSpec, workerLabel } from '../../../control-plane/index.ts';
import { stages } from './kwok-stages.ts';
import type { WorkerLayout } from './worker-layout.ts';

/** Only nodes with this label are kwok's; a real one may stand beside them. */
export const demoLabel = { [workerLabel]: 'demo' } as const;

export interface KwokInput {
  readonly cluster: string;
  readonly kubernetesVersion: string;
  readonly pods: readonly string[];
  readonly layout: WorkerLayout;
  /** How long a node counts as alive after its last word; a quarter of it is its heartbeat. @default 40 */
  readonly leaseSeconds?: number;
}

export function kwok({ cluster, kubernetesVersion, pods, layout, leaseSeconds = 40 }: KwokInput): ComponentSpec {
  const { address, ports, files } = layout;
  const documents = stages({ address, port: ports.kubelet, kubernetesVersion });
  return {
    scope: `worker/${cluster}`,
    name: 'kwok',
    program: { name: 'kwok' },
    args: [
      `--kubeconfig=${files.kubeconfig}`,
      `--config=${files.stages}`,
      `--manage-nodes-with-label-selector=${Object.entries(demoLabel).flat().join('=')}`,
      `--node-ip=${address}`,
      `--node-lease-duration-seconds=${leaseSeconds}`,
      `--server-address=${address}:${ports.kwok}`,
      ...pods.slice(0, 1).map((network) => `--cidr=${network}`),
    ],
    // Its own home: it looks for a configuration of the user's otherwise.
    env: { HOME: layout.home, KWOK_WORKDIR: layout.home },
    files: [{ path: files.stages, text: documents.map((each) => `---\n${JSON.stringify(each)}\n`).join('') }],
    probe: { kind: 'http', url: `http://${address}:${ports.kwok}/healthz` },
    // It ends when the API server cannot be reached at first.
    startMs: 90_000,
  };
}
