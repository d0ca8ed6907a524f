// A control plane as a list of workloads: pure, so that a change can be seen before it is made.
import type { Workload } from '../workload.ts';
import { apiServer } from './api-server.ts';
import { controllerManager, scheduler } from './controllers.ts';
import { etcd } from './etcd.ts';
import type { WorkloadInput } from './input.ts';

export { type ControlPlaneSize, gatewayPeer, oneOfEach, type WorkloadInput, workloadNames } from './input.ts';

export const controlPlaneWorkloads = (input: WorkloadInput): Workload[] => [
  etcd(input),
  apiServer(input),
  controllerManager(input),
  scheduler(input),
];
