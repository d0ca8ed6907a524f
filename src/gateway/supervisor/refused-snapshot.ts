import { CausewayError } from '../../core/errors.ts';

/** With all that is wrong with it, one line each. */
export const refusedSnapshot = (problems: readonly string[]): CausewayError =>
  new CausewayError(
    'CW-GATEWAY-SNAPSHOT',
    `the snapshot is refused:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    'mend what is named; until then the one before stays in force',
  );
