// The steps of a way to a gateway, and what a failed one becomes.
import { CausewayError, exitCodes } from '../../core/errors.ts';

/** In the order they are taken; without a proxy the first four are left out, with one the proxy resolves the gateway. */
export const steps = [
  'resolve-proxy',
  'connect-proxy',
  'tls-proxy',
  'ask-proxy',
  'resolve-gateway',
  'connect-gateway',
  'tls-gateway',
] as const;

export type Step = (typeof steps)[number];

/** Why there is no way to the gateway: at which step, in a sentence with its fix. Never holds a secret. */
export class DialError extends CausewayError {
  readonly step: Step;
  /** How long the step took until it failed. */
  readonly ms: number;
  constructor(step: Step, { code, message, fix }: Diagnosis, ms: number) {
    super(code, message, fix, exitCodes.findings);
    this.name = 'DialError';
    this.step = step;
    this.ms = ms;
  }
}

export interface Diagnosis {
  /** Stable, in docs/guides/agent.md. */
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export interface FinishedStep {
  readonly step: Step;
  readonly ms: number;
  /** What was found: addresses, an answer, a certificate. */
  readonly detail: string;
}
