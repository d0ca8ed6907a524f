// What the groups in our kubeconfigs may do. The rules are ordinary objects, so access can be taken away again, which
// cannot be done with the group that Kubernetes has for it (system:masters).
import type { KubeObject } from '../../kube/index.ts';
import { clusterBinding, clusterRole, group, user } from './rbac.ts';

export const peopleGroups = { admin: 'causeway:admins', viewer: 'causeway:viewers' } as const;
export type Role = keyof typeof peopleGroups;

const seeing = ['get', 'list', 'watch'];

export const peopleObjects = (): KubeObject[] => [
  clusterBinding('causeway:admins', 'cluster-admin', group(peopleGroups.admin)),
  clusterBinding('causeway:viewers', 'view', group(peopleGroups.viewer)),
  // "view" is for what is in namespaces. Secrets are in neither.
  clusterRole('causeway:viewer', [
    { apiGroups: [''], resources: ['nodes', 'namespaces', 'persistentvolumes'], verbs: seeing },
    { apiGroups: ['storage.k8s.io'], resources: ['storageclasses', 'csidrivers', 'csinodes'], verbs: seeing },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: seeing },
    { apiGroups: ['metrics.k8s.io'], resources: ['nodes', 'pods'], verbs: seeing },
  ]),
  clusterBinding('causeway:viewers-of-the-cluster', 'causeway:viewer', group(peopleGroups.viewer)),
  // How the API server shows itself to kubelets.
  clusterBinding('causeway:kubelet-client', 'system:kubelet-api-admin', user('kube-apiserver-kubelet-client')),
];
