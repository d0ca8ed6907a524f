// What a new API server must know before it is of use to anybody.
import type { KubeObject } from '../../kube/client.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import { joiningObjects } from './joining.ts';
import { peopleObjects } from './people.ts';
import { workerObjects } from './workers.ts';

export const bootstrapObjects = ({ endpoint }: Pick<ControlPlaneInput, 'endpoint'>, ca: string): KubeObject[] => [
  ...peopleObjects(),
  ...joiningObjects(endpoint, ca),
  ...workerObjects(),
];
