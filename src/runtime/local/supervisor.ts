// Components as processes of this machine.
import type { ComponentId, ComponentSpec, Driver, Scope } from '../../control-plane/component.ts';
import type { Log } from '../../net/log.ts';
import type { ProgramOptions } from '../../programs/surroundings.ts';
import { createNotifier } from '../../sys/throttled-emitter.ts';
import { logPathOf } from './launch.ts';
import { LogFile } from './log-file.ts';
import { type Pace, usualPace } from './monitor.ts';
import { findLeftovers, type Leftover } from './orphans.ts';
import { createProgramShelf, type Getting } from './program-provider.ts';
import { Unit, type UnitContext } from './supervised-component.ts';

export interface ProcessDriverOptions {
  /** The state of the platform; logs are below it, and with it processes of an earlier driver are recognised. */
  readonly directory: string;
  readonly log: Log;
  /** How programs are got. */
  readonly programs?: ProgramOptions;
  readonly pace?: Partial<Pace>;
}

export interface ProcessDriver extends Driver {
  /** Programs that are being fetched or built, or wait for their turn. */
  getting(): readonly Getting[];
  /** Called, at most every 100 ms, when `getting` has another answer. */
  onProgress(listener: () => void): () => void;
  /** Ends a scope in order, does something with what it kept, and starts it again, whatever came of that. */
  whileStopped<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
}

const leftoverStopMs = 10_000;

export function createProcessDriver(options: ProcessDriverOptions): ProcessDriver {
  const { directory, log, programs } = options;
  const pace = { ...usualPace, ...options.pace };
  const changes = createNotifier<Scope>();
  const progress = createNotifier();
  const shelf = createProgramShelf({ log, programs, onProgress: progress.notify });
  const scopes = new Map<Scope, ScopeUnits>();
  const wanted = new Map<Scope, readonly ComponentSpec[]>();
  const held = new Set<Scope>();
  let leftovers: readonly Leftover[] = findLeftovers(directory);
  let stopped = false;

  const takeLeftovers = (isMine: (key: string) => boolean): readonly Leftover[] => {
    const mine = leftovers.filter(({ key }) => isMine(key));
    leftovers = leftovers.filter((leftover) => !mine.includes(leftover));
    return mine;
  };
  const endLeftovers = async (isMine: (key: string) => boolean): Promise<void> => {
    await Promise.all(takeLeftovers(isMine).map(({ child }) => child.end(leftoverStopMs)));
  };
  const context = {
    directory,
    log,
    shelf,
    pace,
    changed: changes.notify,
    takeLeftovers: (own: string) => takeLeftovers((key) => key === own),
  };
  const unitsOf = (scope: Scope): ScopeUnits => {
    const units = scopes.get(scope) ?? new ScopeUnits(scope, context);
    scopes.set(scope, units);
    return units;
  };
  const allUnits = (): Unit[] => [...scopes.values()].flatMap(({ all }) => all);
  const logOf = (id: ComponentId): LogFile =>
    scopes.get(id.scope)?.get(id.name)?.logFile ?? new LogFile(logPathOf(directory, id));
  const claim = setTimeout(() => void endLeftovers(() => true), pace.claim).unref();

  const apply = (scope: Scope, specs: readonly ComponentSpec[]): void => {
    wanted.set(scope, specs);
    if (stopped || held.has(scope)) return;
    unitsOf(scope).apply(specs);
    const names = new Set(specs.map(({ name }) => `${scope}/${name}`));
    void endLeftovers((key) => key.startsWith(`${scope}/`) && !names.has(key));
  };

  /** Also what an earlier driver left, and nobody has claimed yet. */
  const end = async (scope: Scope): Promise<void> => {
    await Promise.all([scopes.get(scope)?.stop(), endLeftovers((key) => key.startsWith(`${scope}/`))]);
  };

  return {
    apply,
    async whileStopped(scope, work) {
      held.add(scope);
      try {
        await end(scope);
        return await work();
      } finally {
        held.delete(scope);
        apply(scope, wanted.get(scope) ?? []);
      }
    },
    async remove(scope) {
      wanted.delete(scope);
      await end(scope);
      if (scopes.get(scope)?.all.length === 0) scopes.delete(scope);
    },
    look: () => allUnits().map((unit) => unit.observe()),
    getting: () => shelf.getting(),
    onChange: changes.listen,
    onProgress: progress.listen,
    tail: (id, lines) => logOf(id).tail(lines),
    follow: (id, line) => logOf(id).follow(line),
    async stop() {
      stopped = true;
      clearTimeout(claim);
      await Promise.all([...[...scopes.values()].map((units) => units.stop()), endLeftovers(() => true)]);
      changes.flush();
    },
  };
}

// The components of one scope: who waits for whom, and who ends before whom.

interface ScopeContext extends Omit<UnitContext, 'progressOf' | 'changed'> {
  changed(scope: Scope): void;
}

class ScopeUnits {
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
