// The supervisor: components as processes of this machine. They outlive it, and the next one adopts them.
import type { ComponentId, ComponentSpec, Driver, Scope } from '../../control-plane/index.ts';
import type { ProgramOptions } from '../../programs/index.ts';
import type { Log } from '../../sys/log.ts';
import { createThrottledEmitter } from '../../sys/throttled-emitter.ts';
import type { ObservedComponent } from '../platform-runtime.ts';
import { logPathOf } from './launch.ts';
import { LogFile } from './log-file.ts';
import { defaultRestartPolicy, type RestartPolicy } from './monitor.ts';
import { findOrphans, type Orphan } from './orphans.ts';
import { createProgramProvider, type PendingProgram } from './program-provider.ts';
import { type ComponentContext, SupervisedComponent } from './supervised-component.ts';

export interface SupervisorOptions {
  /** The state of the platform; logs are below it, and with it processes of an earlier supervisor are recognised. */
  readonly directory: string;
  readonly log: Log;
  /** How programs are got. */
  readonly programs?: ProgramOptions;
  readonly restartPolicy?: Partial<RestartPolicy>;
}

export interface Supervisor extends Driver {
  look(): readonly ObservedComponent[];
  /** One of them. */
  find(id: ComponentId): ObservedComponent | undefined;
  /** Programs that are being fetched or built, or wait for their turn. */
  getting(): readonly PendingProgram[];
  /** Called, at most every 100 ms, when `getting` has another answer. */
  onProgress(listener: () => void): () => void;
  /** Ends a scope in order, does something with what it kept, and starts it again, whatever came of that. */
  whileStopped<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
}

const orphanStopMs = 10_000;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { directory, log, programs } = options;
  const restartPolicy = { ...defaultRestartPolicy, ...options.restartPolicy };
  const changes = createThrottledEmitter<Scope>();
  const progress = createThrottledEmitter();
  const provider = createProgramProvider({ log, programs, onProgress: progress.emit });
  const scopes = new Map<Scope, ScopeSupervisor>();
  const wanted = new Map<Scope, readonly ComponentSpec[]>();
  const held = new Set<Scope>();
  let orphans: readonly Orphan[] = findOrphans(directory);
  let stopped = false;

  const takeOrphans = (isMine: (key: string) => boolean): readonly Orphan[] => {
    const mine = orphans.filter(({ key }) => isMine(key));
    orphans = orphans.filter((orphan) => !mine.includes(orphan));
    return mine;
  };
  const endOrphans = async (isMine: (key: string) => boolean): Promise<void> => {
    await Promise.all(takeOrphans(isMine).map(({ child }) => child.end(orphanStopMs)));
  };
  const context = {
    directory,
    log,
    provider,
    restartPolicy,
    changed: changes.emit,
    takeOrphans: (own: string) => takeOrphans((key) => key === own),
  };
  const scopeOf = (scope: Scope): ScopeSupervisor => {
    const found = scopes.get(scope) ?? new ScopeSupervisor(scope, context);
    scopes.set(scope, found);
    return found;
  };
  const allComponents = (): SupervisedComponent[] => [...scopes.values()].flatMap(({ all }) => all);
  const logOf = (id: ComponentId): LogFile =>
    scopes.get(id.scope)?.get(id.name)?.logFile ?? new LogFile(logPathOf(directory, id));
  const adoptTimeout = setTimeout(() => void endOrphans(() => true), restartPolicy.adoptMs).unref();

  const apply = (scope: Scope, specs: readonly ComponentSpec[]): void => {
    wanted.set(scope, specs);
    if (stopped || held.has(scope)) return;
    scopeOf(scope).apply(specs);
    const names = new Set(specs.map(({ name }) => `${scope}/${name}`));
    void endOrphans((key) => key.startsWith(`${scope}/`) && !names.has(key));
  };

  /** Also what an earlier supervisor left, and nobody has adopted yet. */
  const end = async (scope: Scope): Promise<void> => {
    await Promise.all([scopes.get(scope)?.stop(), endOrphans((key) => key.startsWith(`${scope}/`))]);
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
    look: () => allComponents().map((component) => component.observe()),
    find: ({ scope, name }) => scopes.get(scope)?.get(name)?.observe(),
    getting: () => provider.getting(),
    onChange: changes.on,
    onProgress: progress.on,
    tail: (id, lines) => logOf(id).tail(lines),
    follow: (id, line) => logOf(id).follow(line),
    async stop() {
      stopped = true;
      clearTimeout(adoptTimeout);
      await Promise.all([...[...scopes.values()].map((scope) => scope.stop()), endOrphans(() => true)]);
      changes.flush();
    },
  };
}

interface ScopeContext extends Omit<ComponentContext, 'progressOf' | 'changed'> {
  changed(scope: Scope): void;
}

/** The components of one scope: who waits for whom, and who ends before whom. */
class ScopeSupervisor {
  readonly #components = new Map<string, SupervisedComponent>();
  readonly #scope: Scope;
  readonly #context: ComponentContext;

  constructor(scope: Scope, context: ScopeContext) {
    this.#scope = scope;
    this.#context = {
      ...context,
      progressOf: (name) => this.#components.get(name),
      changed: () => {
        for (const component of this.#components.values()) component.wake();
        context.changed(scope);
      },
    };
  }

  get all(): readonly SupervisedComponent[] {
    return [...this.#components.values()];
  }

  get(name: string): SupervisedComponent | undefined {
    return this.#components.get(name);
  }

  apply(specs: readonly ComponentSpec[]): void {
    for (const spec of specs) this.#component(spec.name).apply(spec);
    const names = new Set(specs.map(({ name }) => name));
    void this.#stop(this.all.filter(({ id }) => !names.has(id.name)));
  }

  stop(): Promise<void> {
    return this.#stop(this.all);
  }

  #component(name: string): SupervisedComponent {
    const component =
      this.#components.get(name) ?? new SupervisedComponent({ scope: this.#scope, name }, this.#context);
    this.#components.set(name, component);
    return component;
  }

  /** Those that nobody needs first. */
  async #stop(components: readonly SupervisedComponent[]): Promise<void> {
    const staying = new Set(components);
    while (staying.size > 0) {
      const needed = new Set([...staying].flatMap(({ needs }) => needs));
      const free = [...staying].filter(({ id }) => !needed.has(id.name));
      // A circle has no end: all at once then.
      const next = free.length > 0 ? free : [...staying];
      await Promise.all(next.map((component) => this.#end(component)));
      for (const component of next) staying.delete(component);
    }
  }

  async #end(component: SupervisedComponent): Promise<void> {
    await component.stop();
    // Unless it was wanted again meanwhile.
    if (!component.isDesired) this.#components.delete(component.id.name);
    this.#context.changed();
  }
}
