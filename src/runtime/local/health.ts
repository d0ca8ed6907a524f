// From answers to a judgement: one lost answer is no failure, a refused connection is.
import type { ComponentSpec } from '../../control-plane/component.ts';
import type { Child } from './child.ts';
import { type Answer, createProber, type Prober } from './probe.ts';

const tolerated = 3;

export class Health {
  readonly #prober: Prober;
  #failures = 0;
  #answeredAt = performance.now();

  constructor({ probe }: ComponentSpec) {
    this.#prober = createProber(probe);
  }

  async ask(child: Child): Promise<Answer> {
    const answer = await this.#prober.ask(Date.now() - child.startedAt);
    this.#failures = answer.healthy ? 0 : this.#failures + 1;
    if (answer.healthy || answer.answered) this.#answeredAt = performance.now();
    return answer;
  }

  /** It worked before, and a single answer is missing. */
  isLapse(answer: Answer): boolean {
    return !answer.healthy && !answer.refused && this.#failures < tolerated;
  }

  get silentForMs(): number {
    return performance.now() - this.#answeredAt;
  }

  close(): void {
    this.#prober.close();
  }
}
