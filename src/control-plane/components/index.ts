// A control plane as a list of components: pure, so that a change can be seen before it is made.
import type { ComponentSpec } from '../component.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { ControlPlanePki } from '../pki/pki.ts';
import { apiServer } from './api-server.ts';
import { controllerManager, scheduler } from './controllers.ts';
import { etcd } from './etcd.ts';
import { konnectivityServer } from './konnectivity.ts';

export const controlPlaneComponents = (input: ControlPlaneInput, pki: ControlPlanePki): ComponentSpec[] => [
  etcd(input, pki),
  apiServer(input, pki),
  konnectivityServer(input, pki),
  controllerManager(input, pki),
  scheduler(input, pki),
];
