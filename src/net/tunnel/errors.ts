// Why a tunnelled connection did not come to be, or broke.
import { CausewayError } from '../../core/errors.ts';

/** The gateway said no, and why. */
export class TunnelRefused extends CausewayError {
  /** The gateway's own code: unknown-authority, expired-token … */
  readonly refusal: string;
  constructor(refusal: string, sentence: string) {
    super(
      'CW-TUNNEL-REFUSED',
      `The gateway refused the connection (${refusal}): ${sentence}`,
      'look the code up in the reference of refusals, or in the gateway’s log',
    );
    this.refusal = refusal;
  }
}

/** ENOBUFS: more of it waited unread than there is memory for. */
export type BrokenCode = 'ECONNRESET' | 'ETIMEDOUT' | 'EPROTO' | 'ENOBUFS';

export class TunnelBroken extends Error {
  readonly code: BrokenCode;
  constructor(code: BrokenCode, message: string) {
    super(message);
    this.name = 'TunnelBroken';
    this.code = code;
  }
}

/** What stands in the place of an answer. */
export const hungUp = 'The gateway closes connections before it has answered anything.';
