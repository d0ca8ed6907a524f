// RBAC of a cluster: its objects in short, the roles that kubeconfigs have, and the accounts of the worker side.
import type { KubeObject } from '../../kube/index.ts';
import { konnectivityAccount } from '../components/konnectivity.ts';

const rbac = 'rbac.authorization.k8s.io';

/** Of whoever shows a bootstrap token of kubeadm's kind. */
export const tokenGroup = 'system:bootstrappers:kubeadm:default-node-token';
/** Of every node that has joined. */
export const nodesGroup = 'system:nodes';
/** Of nodes that the platform plays itself (demo, real): what such a node needs runs beside it, not in pods. */
export const workerLabel = 'causeway.dev/worker';

export interface Who {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export const group = (name: string): Who => ({ kind: 'Group', name });
export const user = (name: string): Who => ({ kind: 'User', name });
export const account = (namespace: string, name: string): Who => ({ kind: 'ServiceAccount', name, namespace });

export const clusterRole = (name: string, rules: readonly Rule[]): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});

export const clusterBinding = (name: string, role: string, who: Who): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [subjectOf(who)],
});

/** A role of one namespace and who has it, under the same name. */
export const roleIn = (namespace: string, name: string, rules: readonly Rule[], who: readonly Who[]): KubeObject[] => [
  { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name, namespace }, rules },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: rbac, kind: 'Role', name },
    subjects: who.map(subjectOf),
  },
];

export const serviceAccount = (namespace: string, name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace },
});

const subjectOf = ({ kind, name, namespace }: Who): object => ({
  kind,
  name,
  ...(kind === 'ServiceAccount' ? { namespace } : { apiGroup: rbac }),
});

// What kubeconfigs may do. Each has a group and a binding of its own (kubeconfigs.ts), so that it can be revoked, which
// cannot be done with the group that Kubernetes has for it (system:masters).

export const kubeconfigRoles = { admin: 'cluster-admin', viewer: 'causeway:viewers' } as const;
export type Role = keyof typeof kubeconfigRoles;

/** Of groups that all kubeconfigs had in common: nobody could be told apart, or lose their right alone. */
export const formerBindings = ['causeway:admins', 'causeway:viewers', 'causeway:viewers-of-the-cluster'] as const;

const readVerbs = ['get', 'list', 'watch'];
const aggregate = { 'causeway.dev/aggregate-to-viewers': 'true' };

export const kubeconfigRbac = (): KubeObject[] => [
  // "view" is for what is in namespaces. Secrets are in neither.
  {
    ...clusterRole('causeway:viewer', [
      { apiGroups: [''], resources: ['nodes', 'namespaces', 'persistentvolumes'], verbs: readVerbs },
      { apiGroups: ['storage.k8s.io'], resources: ['storageclasses', 'csidrivers', 'csinodes'], verbs: readVerbs },
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: readVerbs },
      { apiGroups: ['metrics.k8s.io'], resources: ['nodes', 'pods'], verbs: readVerbs },
    ]),
    metadata: { name: 'causeway:viewer', labels: aggregate },
  },
  // Both in one role, so that a kubeconfig has one binding. A controller writes its rules.
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: kubeconfigRoles.viewer },
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { [`${rbac}/aggregate-to-view`]: 'true' } }, { matchLabels: aggregate }],
    },
  },
  // How the API server shows itself to kubelets.
  clusterBinding('causeway:kubelet-client', 'system:kubelet-api-admin', user('kube-apiserver-kubelet-client')),
];

// Accounts of what runs on the worker side, and what each may do.

/** Plays nodes and their pods in a demo. */
export const demoNodesAccount = { namespace: 'kube-system', name: 'kwok-controller' } as const;

/** Of node agents at the tunnel. It may do nothing in the cluster: a gateway reads whose token it is. */
export const agentAccount = { namespace: 'kube-system', name: 'causeway-node-agent' } as const;

const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

export const workerObjects = (): KubeObject[] => [
  serviceAccount(konnectivityAccount.namespace, konnectivityAccount.name),
  serviceAccount(agentAccount.namespace, agentAccount.name),
  // The server asks the API server whose token an agent shows.
  clusterBinding('system:konnectivity-server', 'system:auth-delegator', user('system:konnectivity-server')),
  serviceAccount(demoNodesAccount.namespace, demoNodesAccount.name),
  clusterRole('kwok-controller', [
    { apiGroups: [''], resources: ['nodes', 'nodes/status', 'pods', 'pods/status'], verbs: all },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: all },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'update', 'patch'] },
  ]),
  clusterBinding('kwok-controller', 'kwok-controller', account(demoNodesAccount.namespace, demoNodesAccount.name)),
];
