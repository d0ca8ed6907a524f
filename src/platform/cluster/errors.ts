import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';

export const noSuchCluster = (name: string, known: readonly string[]): CausewayError =>
  new CausewayError(
    'CW-UP-NO-CLUSTER',
    `there is no cluster "${name.slice(0, 80)}"`,
    suggestion(name, known, 'there are none yet: create one on the page, or write a manifest'),
  );

export const notRunHere = (name: string): CausewayError =>
  new CausewayError(
    'CW-UP-NO-KUBECONFIG',
    `the control plane of ${name} is not run here`,
    'ask whoever runs it, or start it: without --clusters everything is started',
  );
