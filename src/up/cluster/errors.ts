import { CausewayError } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';

export function noSuchCluster(name: string, known: readonly string[]): CausewayError {
  const guess = nearest(name, known);
  const fix = guess === undefined ? `there are ${known.join(', ')}` : `did you mean ${guess}?`;
  return new CausewayError('CW-UP-NO-CLUSTER', `there is no cluster "${name}"`, fix);
}

export const notRunHere = (name: string): CausewayError =>
  new CausewayError(
    'CW-UP-NO-KUBECONFIG',
    `the control plane of ${name} is not run here, so there is no kubeconfig for it`,
    'ask whoever runs it, or start it: without --clusters everything is started',
  );
