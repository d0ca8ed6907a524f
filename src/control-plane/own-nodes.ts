// Nodes that the platform makes itself, told apart from those that people join: by their label and by their name.
import { workerLabel } from './bootstrap/rbac.ts';

/** What plays the workers of a cluster on this machine. */
export type NodeKind = 'demo' | 'real';

export const demoNodeName = (cluster: string, number: number): string => `${cluster}-${number}`;
export const realNodeName = (cluster: string): string => `${cluster}-real`;

export interface Labelled {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** Undefined for a node that somebody else brought, whatever label it was given. */
export function kindOfNode(cluster: string, { metadata: { name, labels } }: Labelled): NodeKind | undefined {
  const kind = labels?.[workerLabel];
  if (kind === 'real' && name === realNodeName(cluster)) return kind;
  const number = name.startsWith(`${cluster}-`) ? name.slice(cluster.length + 1) : '';
  return kind === 'demo' && /^[1-9]\d*$/.test(number) ? kind : undefined;
}

// Removing a node that will not come back: its pods are started elsewhere at once, and not when somebody finds out that it is gone.

export interface RemovingClient {
  list(path: string): Promise<readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[]>;
  /** What is gone already is no error. */
  remove(path: string): Promise<unknown>;
}

/** The node first, so that nothing is scheduled there meanwhile. No kubelet is left to wait for, hence no grace. */
export async function removeNode(client: RemovingClient, name: string): Promise<void> {
  await client.remove(`/api/v1/nodes/${name}`);
  const pods = await client.list(`/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${name}`)}`);
  for (const { metadata } of pods)
    await client.remove(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}?gracePeriodSeconds=0`);
}
