// What every gateway does with bytes, whoever made it.
import type { Subject } from '../subject.ts';
import { changePromises } from './change.ts';
import { endpointPromises } from './endpoints.ts';
import { integrityPromises } from './integrity.ts';
import { routingPromises } from './routing.ts';

export function dataPathPromises(subject: Subject): void {
  routingPromises(subject);
  integrityPromises(subject);
  endpointPromises(subject);
  changePromises(subject);
}
