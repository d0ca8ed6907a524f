// Nodes that are shut out of a cluster, as far as its API server can do it. Their certificates cannot be taken back and are
// good until they end, so a policy keeps their kubelets from writing anything: no node comes back by itself, and no
// certificate is renewed.
import type { KubeClient, KubeObject } from '../kube/index.ts';
import { tokenGroup } from './bootstrap/rbac.ts';
import { takeNodeToken } from './node-tokens.ts';
import { removeNode } from './own-nodes.ts';

const policyName = 'causeway-evicted-nodes.causeway.dev';
const policies = '/apis/admissionregistration.k8s.io/v1';

/** All of the nodes that are shut out now: others may come in again. */
export async function applyEvictions(client: KubeClient, nodes: readonly string[]): Promise<void> {
  if (nodes.length === 0) {
    await client.remove(`${policies}/validatingadmissionpolicybindings/${policyName}`);
    await client.remove(`${policies}/validatingadmissionpolicies/${policyName}`);
    return;
  }
  for (const object of evictionPolicy(nodes)) await client.apply(object);
  for (const node of nodes) {
    await takeNodeToken(client, node);
    await removeNode(client, node);
  }
}

export function evictionPolicy(nodes: readonly string[]): KubeObject[] {
  const users = nodes.map((node) => `system:node:${node}`).sort();
  const all = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
  const message = 'this node was evicted; "causeway cluster readmit-node" takes it back';
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: policyName },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [all] },
        validations: [{ expression: `!(request.userInfo.username in ${JSON.stringify(users)})`, message }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: policyName },
      spec: { policyName, validationActions: ['Deny'] },
    },
  ];
}

interface BootstrapSecret {
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** What the machine may have from when it joined would let it join under another name. */
export async function revokeJoinTokens(client: KubeClient): Promise<void> {
  const type = encodeURIComponent('type=bootstrap.kubernetes.io/token');
  const found = await client.list<BootstrapSecret>(`/api/v1/namespaces/kube-system/secrets?fieldSelector=${type}`);
  const groupsOf = ({ data }: BootstrapSecret): string =>
    Buffer.from(data?.['auth-extra-groups'] ?? '', 'base64').toString();
  for (const secret of found)
    if (groupsOf(secret).split(',').includes(tokenGroup))
      await client.remove(`/api/v1/namespaces/kube-system/secrets/${secret.metadata.name}`);
}
