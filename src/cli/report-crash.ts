import { exitCodes, isCausewayError } from '../core/errors.ts';
import { asTyped } from './started-as.ts';

/** Prints what a person can act on; the stack only for whoever asks. */
export function reportCrash(error: unknown): number {
  if (isCausewayError(error)) {
    process.stderr.write(asTyped(`error: ${error.message} [${error.code}]\n  fix: ${error.fix}\n`));
    return error.exitCode;
  }
  const shown = error instanceof Error ? error.message : String(error);
  process.stderr.write(`internal error: ${shown}\n  this is a bug in Causeway; CAUSEWAY_DEBUG=1 shows where\n`);
  if (process.env.CAUSEWAY_DEBUG !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return exitCodes.internal;
}
