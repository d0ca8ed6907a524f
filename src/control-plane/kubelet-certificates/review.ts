// Whether a node gets the certificate that its kubelet serves with: only for itself, and only for addresses that its Node has
// and no other Node. Pure; asking and answering is in approver.ts.
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
  readonly metadata: { readonly name: string; readonly uid?: string };
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
  return takenBy(content, node, nodes) ?? { verdict: 'approve' };
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
  const wildcard = content.dnsNames.find((name) => name.includes('*'));
  if (wildcard !== undefined) return denied('WrongNames', `${wildcard} is no name of one node`);
  const odd = content.ips.find((ip) => plainAddress(ip) === undefined);
  if (odd !== undefined) return denied('WrongNames', `${odd} is no plain address`);
  if (content.ips.length === 0) return denied('NoAddress', 'it names no address, and the API server asks for one');
  return undefined;
}

const has = ({ status }: AddressedNode, wanted: string): boolean =>
  (status?.addresses ?? []).some(({ address }) => canonical(address) === canonical(wanted));

/** Names and IPv6 can be written in many ways. What is no address is itself: a Node says what it likes. */
function canonical(address: string): string {
  if (isIP(address) === 0) return address.toLowerCase().replace(/\.$/, '');
  return plainAddress(address.replace(/^::ffff:(?=\d+\.)/i, '')) ?? address;
}

/** Undefined for IPv4 in IPv6 notation, which is signed as IPv4, and for zones. */
function plainAddress(address: string): string | undefined {
  try {
    return formatAddress(parseAddress(address));
  } catch {
    return undefined;
  }
}

/**
 * A node says itself which addresses it has, so an address that two of them say is nobody's: logs and exec would go to the
 * one that lies. The request waits until the other one is gone, or says it no more.
 */
function takenBy(content: SigningRequest, node: AddressedNode, nodes: readonly AddressedNode[]): Review | undefined {
  for (const address of [...content.ips, ...content.dnsNames]) {
    const other = nodes.find((one) => one !== node && has(one, address));
    if (other !== undefined)
      return waiting('AddressTaken', `the node ${other.metadata.name} says that ${address} is its own, too`);
  }
  return undefined;
}
