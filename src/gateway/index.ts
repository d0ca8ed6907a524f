// A gateway is started through its engine and in no other way; the rest is what it runs by and what it answers.
export { type GatewayClient, gatewayClient, isSilence } from './client.ts';
export type {
  ConnectionView,
  EngineOptions,
  GatewayEngine,
  GatewayStatus,
  ListenerKind,
  Listening,
  RunningGateway,
  RunOptions,
} from './engine.ts';
export { type RefusalCode, refusals } from './refusals.ts';
export {
  type EvictedNode,
  readSnapshot,
  type Service,
  type Snapshot,
  type SnapshotCluster,
  type SnapshotRoute,
  snapshotWarnings,
} from './snapshot/index.ts';
export type { GatewayReport } from './supervisor/admin-routes.ts';
export { builtInEngine } from './supervisor/built-in-engine.ts';
