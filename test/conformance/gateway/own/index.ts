// What our own engine promises beyond carrying bytes.

import { accountingPromises } from './accounting.ts';
import { authenticationPromises } from './authentication.ts';
import { doorPromises } from './doors.ts';
import { limitPromises } from './limits.ts';
import type { ObservedEngine } from './observed.ts';
import { refusalPromises } from './refusals.ts';
import { sourcePromises } from './sources.ts';

export function ownPromises(engine: ObservedEngine): void {
  refusalPromises(engine);
  authenticationPromises(engine);
  sourcePromises(engine);
  doorPromises(engine);
  limitPromises(engine);
  accountingPromises(engine);
}
