import type { EngineOptions } from '../../../../src/gateway/index.ts';
import type { TestedGateway } from '../subject.ts';

/** A gateway that tells why it refused. */
export interface ObservedGateway extends TestedGateway {
  /** How often by reason, over all clusters and listeners, since it started. */
  refusals(): Promise<ReadonlyMap<string, number>>;
  /** Of a cluster, over all listeners and workers. */
  traffic(cluster: string): Promise<Traffic>;
}

export interface Traffic {
  readonly connections: number;
  readonly open: number;
  /** Bytes from clients. */
  readonly sent: number;
  readonly received: number;
}

export interface ObservedEngine {
  readonly name: string;
  start(options: EngineOptions): Promise<ObservedGateway>;
}
