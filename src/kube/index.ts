// A client of the Kubernetes API, and a reflector that keeps a collection of it. No business rules.
export { type ApplyOptions, createKubeClient, type KubeClient, type KubeObject } from './client.ts';
export { dialOver } from './dial.ts';
export { KubeError } from './errors.ts';
export { Reflector, type ReflectorOptions, type Timing } from './reflector.ts';
export {
  byLabel,
  byNamespace,
  compareVersions,
  type IndexFunction,
  keyOf,
  Store,
  type Stored,
  type StoreHandler,
  type StoreOptions,
} from './store.ts';
export type { Dial, KubeAccess, TlsMaterial } from './transport.ts';
export type { WatchEvent } from './watch.ts';
