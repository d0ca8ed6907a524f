// The program that one component wants now. Its old process may go on while the new one is fetched.

import type { ComponentSpec } from '../../control-plane/component.ts';
import { isLasting } from '../../programs/errors.ts';
import type { Pace } from './pace.ts';
import type { ProgramShelf } from './program-shelf.ts';
import { reasonOfFailure } from './reasons.ts';

type Wanted = ComponentSpec['program'];
type Result = { readonly file: string } | { readonly error: unknown; readonly at: number };

export class ProgramOrder {
  readonly #shelf: ProgramShelf;
  readonly #settled: () => void;
  #wanted: Wanted | undefined;
  #result: Result | undefined;

  constructor(shelf: ProgramShelf, settled: () => void) {
    this.#shelf = shelf;
    this.#settled = settled;
  }

  /** Asked again only when it is another one, or when it could not be had. */
  place(wanted: Wanted): void {
    const same = JSON.stringify(wanted) === JSON.stringify(this.#wanted);
    if (same && (this.#result === undefined || 'file' in this.#result)) return;
    this.#wanted = wanted;
    this.#result = undefined;
    const settle = (result: Result): void => {
      // The answer to an earlier question is of no interest any more.
      if (this.#wanted !== wanted) return;
      this.#result = result;
      this.#settled();
    };
    this.#shelf.path(wanted).then(
      (file) => settle({ file }),
      (error: unknown) => settle({ error, at: Date.now() }),
    );
  }

  /** What could not be had so long ago may be there now. */
  placeAgain({ mostRestart, lastingRestart }: Pace): void {
    const failed = this.#result && 'error' in this.#result ? this.#result : undefined;
    if (this.#wanted === undefined || failed === undefined) return;
    const afterMs = isLasting(failed.error) ? lastingRestart : mostRestart;
    if (Date.now() - failed.at >= afterMs) this.place(this.#wanted);
  }

  /** It is there, or it cannot be had. */
  get isSettled(): boolean {
    return this.#result !== undefined;
  }

  get isThere(): boolean {
    return this.#result !== undefined && 'file' in this.#result;
  }

  /** Its path; fails with the reason why it cannot be had. */
  take(): string {
    if (this.#result === undefined) throw new Error('the program is not there yet');
    if ('error' in this.#result) throw this.#result.error;
    return this.#result.file;
  }

  /** It did not start: perhaps it is not there any more. */
  forget(): void {
    if (this.#wanted) this.#shelf.forget(this.#wanted);
    this.#wanted = undefined;
  }

  progress(): { readonly why: string; readonly next: string } {
    if (this.#result && 'error' in this.#result) {
      const { why, fix = 'it is tried again' } = reasonOfFailure(this.#result.error);
      return { why, next: fix };
    }
    const { name, doing } = (this.#wanted && this.#shelf.progressOf(this.#wanted)) ?? {};
    const why =
      name === undefined ? 'its program is being looked for' : `its program ${name} is not here yet: ${doing}`;
    return { why, next: 'it starts as soon as its program is there' };
  }
}
