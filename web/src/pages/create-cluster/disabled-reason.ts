// Why the form cannot be sent as it is: said beside the button, which is disabled for exactly as long.
import { ApiError } from '../../api/client.ts';
import { count, sentence } from '../../components/format.ts';
import { type Draft, isComplete } from './draft.ts';
import type { DryRunState } from './queries.ts';

interface Sendable {
  readonly draft: Draft;
  readonly dryRun: DryRunState;
  /** False: of a cluster that is there nothing would be different. */
  readonly isChanged: boolean;
}

/** Undefined: it can be sent. */
export function disabledReason({ draft, dryRun, isChanged }: Sendable): string | undefined {
  if (!isComplete(draft)) return missing(draft);
  if (!isChanged) return 'Nothing is changed yet.';
  // An answer about what was typed a moment ago says nothing about what is there now.
  if (dryRun.isOld) return 'It is being checked.';
  if (dryRun.error !== null) return refusal(dryRun.error);
  if (dryRun.answer === undefined) return 'It is being checked.';
  const { errors } = dryRun.answer;
  if (errors.length === 0) return undefined;
  const [first] = errors;
  const what = `${count(errors.length, 'error has', 'errors have')} to be mended first`;
  return first === undefined ? `${what}.` : `${what}: ${first.message}.`;
}

function missing({ name, datacenter, version }: Draft): string {
  if (name === '') return 'It needs a name.';
  if (datacenter === '') return 'It needs a datacenter.';
  return version === '' ? 'It needs a version of Kubernetes.' : 'A cluster cannot have this name.';
}

export const isTaken = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.code === 'CW-API-EXISTS';

const refusal = (error: Error): string =>
  isTaken(error) ? 'There is a cluster of this name already.' : sentence(error.message);
