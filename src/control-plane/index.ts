// What other rooms may know of control planes: their workloads, steps and credentials.
export { createAuthenticator, newSalt } from './backup/authentication.ts';
export {
  type Backup,
  type BackupReason,
  type BackupStore,
  backupName,
  isMetadataFile,
  keysFile,
  metadataFile,
  metadataOf,
  newestFirst,
  readMetadata,
  snapshotFile,
} from './backup/backup.ts';
export {
  chooseBackup,
  type JudgedBackup,
  judgeBackups,
  type KnownNewest,
  newestKnown,
  type RestoreFlags,
  refuseWithoutFlags,
  superfluous,
  usualRetention,
  whyUnauthenticated,
} from './backup/judged.ts';
export { areThere, keysOf, readKeys, writeKeys } from './backup/keys.ts';
export { type JoinedWorkers, joinedWorkerObjects } from './bootstrap/joined-workers.ts';
export { clusterDns } from './bootstrap/kubeadm.ts';
export { type Role, workerLabel } from './bootstrap/rbac.ts';
export { checkWorkloads } from './check-workloads.ts';
export { isReadyNode, type NodeObject, type ObservedNodes, trimNode } from './cluster-nodes.ts';
export type { ClusterRuntime, Store, ValueName } from './cluster-runtime.ts';
export { madeAs, madeOf, readClusterState, refuseImpossible, stateValue, writeClusterState } from './cluster-state.ts';
export type {
  ComponentId,
  ComponentPhase,
  ComponentSpec,
  Driver,
  Handover,
  Observed,
  ResolvedProbe,
  Scope,
  SpecFile,
} from './component.ts';
export { verdictOnComponent, versionOf } from './component.ts';
export {
  controlPlaneWorkloads,
  gatewayPeer,
  oneOfEach,
  type WorkloadInput,
  workloadNames,
} from './components/index.ts';
export { konnectivityAgentArgs } from './components/konnectivity-agent.ts';
export type { Access, ControlPlaneInput } from './control-plane.ts';
export type { AccountToken } from './credentials.ts';
export { kubeconfigText } from './kubeconfig.ts';
export type { IssuedKubeconfig, KubeconfigRequest, NewKubeconfig } from './kubeconfigs.ts';
export { controlPlaneBackoff, createManagedCluster, type ManagedCluster } from './managed-cluster.ts';
export type { NodeName } from './node-tokens.ts';
export { demoNodeName, kindOfNode, type NodeKind, realNodeName, removeNode } from './own-nodes.ts';
export { ensurePki } from './pki/ensure-pki.ts';
export { type ControlPlanePki, type LeafName, type PkiOf, pkiRefs } from './pki/pki.ts';
export { stepTypes } from './steps.ts';
export {
  bindRef,
  type Container,
  configRef,
  type FileRef,
  type Ingress,
  listenRef,
  type Mount,
  type Port,
  type Probe,
  peerRef,
  portRef,
  type Ref,
  type Resolver,
  resolveContent,
  resolveText,
  selfRef,
  sidecarsOf,
  type Text,
  text,
  type Volume,
  volumeRef,
  type Workload,
  withSecretMounts,
} from './workload.ts';
