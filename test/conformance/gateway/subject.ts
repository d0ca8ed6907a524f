import type { EngineOptions, RunningGateway } from '../../../src/gateway/index.ts';

/** What the suite asks of a gateway, whichever engine runs it. */
export type TestedGateway = Pick<RunningGateway, 'listening' | 'apply' | 'stop'>;
export interface TestedEngine {
  readonly name: string;
  start(options: EngineOptions): Promise<TestedGateway>;
}

/** What the suite runs against. */
export interface Subject {
  readonly engine: TestedEngine;
  /** How long connections of a removed cluster may go on. */
  readonly graceMs: number;
  /** Whether the way to a backend stays open in a tunnel when the backend has ended its own half. */
  readonly halfClosesTunnels: boolean;
  /** Whether tunnels of other clusters survive a change, too. */
  readonly keepsTunnels: boolean;
}
