// A driver that runs nothing: a test says which components are healthy.
import { type ComponentSpec, type Driver, type Observed, type Scope, versionOf } from '../component.ts';

export class FakeDriver implements Driver {
  readonly applied: (readonly ComponentSpec[])[] = [];
  readonly removed: Scope[] = [];
  readonly healthy = new Set<string>();
  /** Where another one runs than the one that is to. */
  readonly versions = new Map<string, string>();
  readonly said = new Map<string, Pick<Observed, 'why' | 'next'>>();
  readonly #listeners = new Set<(scopes: ReadonlySet<Scope>) => void>();

  apply(_scope: Scope, specs: readonly ComponentSpec[]): void {
    this.applied.push(specs);
  }
  async remove(scope: Scope): Promise<void> {
    this.removed.push(scope);
  }
  look(): readonly Observed[] {
    return (this.applied.at(-1) ?? []).map(({ scope, name, program }) => {
      const healthy = this.healthy.has(name);
      const version = this.versions.get(name) ?? versionOf(program);
      return {
        ...{ scope, name, healthy, phase: healthy ? 'healthy' : 'starting', since: 0, restarts: 0, logFile: '' },
        ...(version === undefined ? {} : { version }),
        ...this.said.get(name),
      };
    });
  }
  onChange(listener: (scopes: ReadonlySet<Scope>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async tail(): Promise<readonly string[]> {
    return [];
  }
  follow(): () => void {
    return () => {};
  }
  async stop(): Promise<void> {}

  /** name@version of what is to run. */
  get wanted(): string[] {
    return (this.applied.at(-1) ?? []).map(({ name, program }) =>
      'version' in program && program.version !== undefined ? `${name}@${program.version}` : name,
    );
  }
}
