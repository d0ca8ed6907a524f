// What a new API server must know before it is of use to anybody.
import type { KubeObject } from '../../kube/index.ts';
import { joiningObjects } from './joining.ts';
import { type KubeadmInput, kubeadmObjects } from './kubeadm.ts';
import { kubeconfigRbac, workerObjects } from './rbac.ts';

export const bootstrapObjects = (input: KubeadmInput, ca: string): KubeObject[] => [
  ...kubeconfigRbac(),
  ...joiningObjects(input.endpoint, ca),
  ...kubeadmObjects(input),
  ...workerObjects(),
];
