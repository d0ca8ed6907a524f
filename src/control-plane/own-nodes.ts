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
