// What other rooms may know of a running platform: how it is started, what it shows, and what it would refuse.
export { controlPlaneInput } from './cluster/cluster-input.ts';
export { noSuchCluster, notRunHere } from './cluster/errors.ts';
export { issuerAuthorities } from './cluster/issuer-ca.ts';
export { type Eviction, Evictions } from './join/evictions.ts';
export { type JoinInfo, type JoinTunnel, joinInfo } from './join/join-info.ts';
export { objectionsTo } from './objections.ts';
export { gatewaySegments, type PathSegment, plannedPaths } from './planned-paths.ts';
export { startPlatform } from './platform.ts';
export { platformConditions } from './platform-conditions.ts';
export { createSignal } from './signal.ts';
export { versionFindings } from './version-findings.ts';
export type {
  ClusterStatus,
  Hop,
  LiveConnection,
  Platform,
  PlatformEvent,
  PlatformView,
  ProgramProgress,
  Traffic,
} from './view.ts';
