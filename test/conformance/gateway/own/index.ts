// What our own engine promises beyond carrying bytes.

import { accountingPromises } from './accounting.ts';
import { authenticationPromises } from './authentication.ts';
import { limitPromises } from './limits.ts';
import { listenerPromises } from './listeners.ts';
import type { ObservedEngine } from './observed.ts';
import { refusalPromises } from './refusals.ts';
import { sourcePromises } from './sources.ts';

export function ownPromises(engine: ObservedEngine): void {
  refusalPromises(engine);
  authenticationPromises(engine);
  sourcePromises(engine);
  listenerPromises(engine);
  limitPromises(engine);
  accountingPromises(engine);
}
