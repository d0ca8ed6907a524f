// Workloads as processes of this machine. Small parts that commands need before anything runs have entries of their own.
export { judgedBackups } from './backup/judged-backups.ts';
export { type ChoiceOptions, chosenBackup, prepareRestore, type Restored } from './backup/restore.ts';
export { backupStore, passphraseOf } from './backup/target.ts';
export { claimDirectory, lastOwner } from './claim-directory.ts';
export { openEventStore } from './event-store.ts';
export { keptIn, type LocalCluster, localCluster } from './local-cluster.ts';
export { createLocalRuntime, dataIn, machineOf } from './local-runtime.ts';
export { textsIn } from './local-state.ts';
export { openOwnLog, ownLog } from './own-log.ts';
export { rememberPorts } from './ports.ts';
export { createProber } from './probe.ts';
export { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor.ts';
export { konnectivityAgent } from './workers/agents.ts';
