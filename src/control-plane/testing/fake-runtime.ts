// A runtime without a machine: values in memory, one component per container, and data where a test says so.
import type { ClusterRuntime, Store, ValueName } from '../cluster-runtime.ts';
import type { ComponentSpec } from '../component.ts';
import type { Workload } from '../workload.ts';

export class MemoryStore implements Store {
  /** By their place. */
  readonly values = new Map<string, string>();

  where = ({ name, key }: ValueName): string => `memory/${name}.${key.split('.').at(-1)}`;
  get = async (value: ValueName): Promise<string | undefined> => this.values.get(this.where(value));
  has = async (value: ValueName): Promise<boolean> => this.values.has(this.where(value));
  put = async (value: ValueName, text: string): Promise<void> => void this.values.set(this.where(value), text);
  delete = (value: ValueName): boolean => this.values.delete(this.where(value));
}

export class FakeRuntime implements ClusterRuntime {
  readonly store = new MemoryStore();
  isThere = false;

  hasData = async (): Promise<boolean> => this.isThere;
  resolve = fakeComponents;
  /** Nobody listens there. */
  addressOf = (): string => '127.0.0.1:1';
  namesOf = (): { dnsNames: string[]; ips: string[] } => ({ dnsNames: ['localhost'], ips: ['127.0.0.1', '::1'] });
  remove = async (): Promise<void> => this.store.values.clear();
}

export const fakeComponents = (workloads: readonly Workload[]): ComponentSpec[] =>
  workloads.flatMap(({ containers }) =>
    containers.map(({ name, program, args }) => ({
      scope: 'cluster/web' as const,
      name,
      program,
      args: args.map((arg) => JSON.stringify(arg)),
      probe: { kind: 'alive', ms: 0 },
    })),
  );
