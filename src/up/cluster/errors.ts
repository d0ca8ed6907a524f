import { CausewayError } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';

export function noSuchCluster(name: string, known: readonly string[]): CausewayError {
  const guess = nearest(name, known);
  const fix = guess === undefined ? thereAre(known) : `did you mean ${guess}?`;
  return new CausewayError('CW-UP-NO-CLUSTER', `there is no cluster "${name}"`, fix);
}

/** More would hide what is said. */
const mostNamed = 20;

function thereAre(known: readonly string[]): string {
  if (known.length === 0) return 'there are none yet: create one on the page, or write a manifest';
  const more = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : '';
  return `there are ${known.slice(0, mostNamed).join(', ')}${more}`;
}

export const notRunHere = (name: string): CausewayError =>
  new CausewayError(
    'CW-UP-NO-KUBECONFIG',
    `the control plane of ${name} is not run here`,
    'ask whoever runs it, or start it: without --clusters everything is started',
  );
