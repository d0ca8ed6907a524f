// Our engine against everything that the suite knows.
import type { GatewayEngine } from '../../../src/gateway/index.ts';
import { dataPathPromises } from './data-path/index.ts';
import { lifecyclePromises } from './own/lifecycle.ts';
import type { Subject } from './subject.ts';

export function builtInPromises(engine: GatewayEngine): void {
  const graceMs = 1000;
  const withShortGrace: GatewayEngine = { ...engine, start: (options) => engine.start({ ...options, graceMs }) };
  const subject: Subject = { engine: withShortGrace, graceMs, keepsTunnels: true, halfClosesTunnels: true };
  dataPathPromises(subject);
  lifecyclePromises(subject);
}
