// The components of one scope: who waits for whom, and who ends before whom.
import type { ComponentSpec, Scope } from '../../control-plane/component.ts';
import { Unit, type UnitContext } from './unit.ts';

interface ScopeContext extends Omit<UnitContext, 'progressOf' | 'changed'> {
  changed(scope: Scope): void;
}

export class ScopeUnits {
  readonly #units = new Map<string, Unit>();
  readonly #scope: Scope;
  readonly #context: UnitContext;

  constructor(scope: Scope, context: ScopeContext) {
    this.#scope = scope;
    this.#context = {
      ...context,
      progressOf: (name) => this.#units.get(name),
      changed: () => {
        for (const unit of this.#units.values()) unit.wake();
        context.changed(scope);
      },
    };
  }

  get all(): readonly Unit[] {
    return [...this.#units.values()];
  }

  get(name: string): Unit | undefined {
    return this.#units.get(name);
  }

  apply(specs: readonly ComponentSpec[]): void {
    for (const spec of specs) this.#unit(spec.name).want(spec);
    const names = new Set(specs.map(({ name }) => name));
    void this.#stop(this.all.filter(({ id }) => !names.has(id.name)));
  }

  stop(): Promise<void> {
    return this.#stop(this.all);
  }

  #unit(name: string): Unit {
    const unit = this.#units.get(name) ?? new Unit({ scope: this.#scope, name }, this.#context);
    this.#units.set(name, unit);
    return unit;
  }

  /** Those that nobody needs first. */
  async #stop(units: readonly Unit[]): Promise<void> {
    const staying = new Set(units);
    while (staying.size > 0) {
      const needed = new Set([...staying].flatMap(({ needs }) => needs));
      const free = [...staying].filter(({ id }) => !needed.has(id.name));
      // A circle has no end: all at once then.
      const next = free.length > 0 ? free : [...staying];
      await Promise.all(next.map((unit) => this.#end(unit)));
      for (const unit of next) staying.delete(unit);
    }
  }

  async #end(unit: Unit): Promise<void> {
    await unit.stop();
    // Unless it was wanted again meanwhile.
    if (!unit.isWanted) this.#units.delete(unit.id.name);
    this.#context.changed();
  }
}
