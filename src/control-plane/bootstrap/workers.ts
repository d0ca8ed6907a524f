// Accounts of what runs on the worker side, and what each may do.
import type { KubeObject } from '../../kube/index.ts';
import { konnectivityAccount } from '../components/konnectivity.ts';
import { account, clusterBinding, clusterRole, serviceAccount, user } from './rbac.ts';

/** Plays nodes and their pods in a demo. */
export const demoNodesAccount = { namespace: 'kube-system', name: 'kwok-controller' } as const;

const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

export const workerObjects = (): KubeObject[] => [
  serviceAccount(konnectivityAccount.namespace, konnectivityAccount.name),
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
