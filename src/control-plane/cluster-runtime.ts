// What a control plane asks of the runtime that it runs on: processes and files of one machine, or objects of Kubernetes.
import type { ComponentSpec } from './component.ts';
import type { Workload } from './workload.ts';

/** One value among the named ones of a cluster: a key of a Secret. */
export interface ValueName {
  readonly name: string;
  readonly key: string;
}

/** Keys, certificates and what a cluster was made with: each value is whole or not there, and only for its owner. */
export interface Store {
  /** Undefined where there is none. One that others may read is refused, because they may know it already. */
  get(value: ValueName): Promise<string | undefined>;
  has(value: ValueName): Promise<boolean>;
  put(value: ValueName, text: string): Promise<void>;
  /** Where it is, for people: the last part after a slash is its own. */
  where(value: ValueName): string;
}

/** Names and addresses of a server. */
export interface ServerNames {
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
}

/** For one cluster. */
export interface ClusterRuntime {
  readonly store: Store;
  /** Whether its etcd has ever kept something. */
  hasData(): Promise<boolean>;
  /** What the driver is to run. */
  resolve(workloads: readonly Workload[]): ComponentSpec[];
  /** host:port at which this process reaches it. */
  addressOf(workload: string, port: string): string;
  /** Under which others of the control plane, and this process, reach it: its certificate must have them. */
  namesOf(workload: string): ServerNames;
  /** Deletes all that the cluster kept, except its backups; nothing of it runs any more. */
  remove(): Promise<void>;
}
