export { keptIn, type LocalCluster, localCluster } from './local-cluster.ts';
export { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor.ts';
