// Tokens of node agents at the tunnel: of one service account, each bound to its node. A kubelet may ask for tokens of pods
// only (NodeRestriction), so they are issued for it, and lie where that node alone may read.
import { createPublicKey } from 'node:crypto';
import type { KubeClient, KubeObject } from '../kube/index.ts';
import { serviceAccountKeyId, type TokenAuthority, tokenAudience } from '../net/index.ts';
import { agentAccount, roleIn, user } from './bootstrap/rbac.ts';
import { serviceAccountIssuer } from './components/api-server.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { type AccountToken, accountToken } from './credentials.ts';

/** What a gateway must know to tell whose tokens these are. `keys` is what the API server is given: PEM, one or more. */
export const tokenAuthorityOf = ({ network }: Pick<ControlPlaneInput, 'network'>, keys: string): TokenAuthority => ({
  issuer: serviceAccountIssuer(network),
  audience: tokenAudience,
  subject: `system:serviceaccount:${agentAccount.namespace}:${agentAccount.name}`,
  keys: (keys.match(publicKeys) ?? []).map((pem) => {
    const key = createPublicKey(pem);
    return { id: serviceAccountKeyId(key), publicKey: key.export({ type: 'spki', format: 'pem' }).toString() };
  }),
});
const publicKeys = /-----BEGIN (?:RSA )?PUBLIC KEY-----[^-]+-----END (?:RSA )?PUBLIC KEY-----/g;

export interface NodeName {
  readonly name: string;
  readonly uid: string;
}

/** The node must be there. */
export const nodeToken = (client: KubeClient, node: Omit<NodeName, 'uid'> & Partial<NodeName>, ttlMs: number) =>
  accountToken(client, agentAccount, ttlMs, { audience: tokenAudience, node });

/** Issues a token for the node, and puts it where the node fetches it. */
export async function giveNodeToken(client: KubeClient, node: NodeName, ttlMs: number): Promise<AccountToken> {
  const given = await nodeToken(client, node, ttlMs);
  for (const object of nodeTokenObjects(node, given.token)) await client.apply(object);
  return given;
}

const namespace = 'kube-system';
const secretName = (node: string): string => `causeway-node-agent-${node}`;
const roleName = (node: string): string => `causeway:node-agent:${node}`;

/** They go with their node. */
export function nodeTokenObjects({ name, uid }: NodeName, token: string): KubeObject[] {
  const secret = secretName(name);
  const rule = { apiGroups: [''], resources: ['secrets'], resourceNames: [secret], verbs: ['get'] };
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: secret, namespace }, stringData: { token } },
    ...roleIn(namespace, roleName(name), [rule], [user(`system:node:${name}`)]),
  ].map((object) => ({ ...object, metadata: { ...object.metadata, ownerReferences } }));
}

/** First who may read it: what is deleted in between is not given away. */
export async function takeNodeToken(client: KubeClient, node: string): Promise<void> {
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  await client.remove(`${roles}/rolebindings/${encodeURIComponent(roleName(node))}`);
  await client.remove(`${roles}/roles/${encodeURIComponent(roleName(node))}`);
  await client.remove(`/api/v1/namespaces/${namespace}/secrets/${encodeURIComponent(secretName(node))}`);
}
