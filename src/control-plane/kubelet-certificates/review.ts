// Whether a node gets the certificate that its kubelet serves with: only for itself, and only for addresses that its Node has
// and no older one. Pure; asking and answering is in approver.ts.
import { isIP } from 'node:net';
import { formatAddress, parseAddress } from '../../core/ip.ts';
import type { SigningRequest } from '../../pki/index.ts';
import { nodesGroup } from '../bootstrap/rbac.ts';

export const kubeletServing = 'kubernetes.io/kubelet-serving';

/** A CertificateSigningRequest as the API server has it: who asks is written down by the API server. */
export interface ServingRequest {
  readonly signerName: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  /** Undefined where it cannot be read, or is not signed with its own key. */
  readonly content: SigningRequest | undefined;
}

export interface AddressedNode {
  readonly metadata: { readonly name: string; readonly uid?: string; readonly creationTimestamp?: string };
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

/** `deny`: it will never be right. `wait`: the Node may say so later. */
export type Review =
  | { readonly verdict: 'approve' }
  | { readonly verdict: 'deny' | 'wait'; readonly reason: string; readonly message: string };

const userPrefix = 'system:node:';

export const nodeOf = ({ username }: Pick<ServingRequest, 'username'>): string | undefined =>
  username.startsWith(userPrefix) ? username.slice(userPrefix.length) : undefined;

export function reviewServing(request: ServingRequest, nodes: readonly AddressedNode[]): Review {
  const name = nodeOf(request);
  if (name === undefined || name === '' || !request.groups.includes(nodesGroup))
    return denied('NotANode', `${request.username} is no node`);
  const { content } = request;
  if (content === undefined) return denied('Unreadable', 'it cannot be read, or is not signed with its own key');
  const wrong = wrongIn(request, content);
  if (wrong !== undefined) return wrong;
  const node = nodes.find(({ metadata }) => metadata.name === name);
  if (node === undefined) return waiting('NoNode', `there is no node ${name}`);
  const foreign = [...content.dnsNames, ...content.ips].filter((address) => !has(node, address));
  if (foreign.length > 0) return waiting('ForeignAddress', `${foreign.join(', ')} is no address of the node ${name}`);
  return takenBefore(content, node, nodes) ?? { verdict: 'approve' };
}

const denied = (reason: string, message: string): Review => ({ verdict: 'deny', reason, message });
const waiting = (reason: string, message: string): Review => ({ verdict: 'wait', reason, message });

/** With RSA the kubelet asks for one more. */
const usagesOfServers: readonly string[] = [
  'digital signature,server auth',
  'digital signature,key encipherment,server auth',
];

function wrongIn({ username, usages, signerName }: ServingRequest, content: SigningRequest): Review | undefined {
  if (signerName !== kubeletServing)
    return denied('WrongSigner', `${signerName} signs nothing that kubelets serve with`);
  if (!usagesOfServers.includes(usages.toSorted().join(',')))
    return denied('WrongUsages', `it asks for ${usages.join(', ')}, and not for those of a server alone`);
  const subject = content.subject.map((part) => part.join('=')).toSorted();
  if (subject.join() !== [`CN=${username}`, `O=${nodesGroup}`].join())
    return denied('WrongSubject', `its subject is ${subject.join(', ')}, not that of ${username}`);
  if (content.others.length > 0)
    return denied('WrongNames', `it asks for ${content.others.join(', ')} beside names and addresses`);
  if (content.ips.length === 0) return denied('NoAddress', 'it names no address, and the API server asks for one');
  return undefined;
}

const has = ({ status }: AddressedNode, wanted: string): boolean =>
  (status?.addresses ?? []).some(({ address }) => canonical(address) === canonical(wanted));

/** IPv6 can be written in many ways. */
const canonical = (address: string): string => (isIP(address) === 0 ? address : formatAddress(parseAddress(address)));

/** A node says itself which addresses it has: whoever had one first keeps it. */
function takenBefore(
  content: SigningRequest,
  node: AddressedNode,
  nodes: readonly AddressedNode[],
): Review | undefined {
  const older = nodes.filter((other) => other !== node && age(other) < age(node));
  for (const address of [...content.ips, ...content.dnsNames]) {
    const owner = older.find((other) => has(other, address));
    if (owner !== undefined) return waiting('AddressTaken', `${address} belongs to the node ${owner.metadata.name}`);
  }
  return undefined;
}

/** Sorts by time, then by name. */
const age = ({ metadata: { creationTimestamp = '', name } }: AddressedNode): string => `${creationTimestamp} ${name}`;
