// A component is one program of a platform, described and not yet running: what it is, what it reads, what it waits for,
// how one sees that it works. Who makes it run is a driver: processes on this machine today.
import { type Program, type ProgramName, programs } from '../programs/catalogue/index.ts';
import { type Verdict, verdictFalse, verdictTrue } from '../reconcile/index.ts';

/** Which part of the platform it belongs to; with its name it is the component's identity. */
export type Scope = `cluster/${string}` | `worker/${string}` | `gateway/${string}` | 'platform';

export interface ComponentId {
  readonly scope: Scope;
  /** etcd, kube-apiserver, konnectivity-agent … */
  readonly name: string;
}

export interface ComponentSpec extends ComponentId {
  readonly program: { readonly name: ProgramName; readonly version?: string } | { readonly file: string };
  readonly args: readonly string[];
  /** Added to a small environment; nothing else of ours is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads, written before it starts and when it changes. */
  readonly files?: readonly SpecFile[];
  /** Directories that must exist, only for us. */
  readonly directories?: readonly string[];
  /** Names of components of the same scope that must answer before it starts, ready or not; they stop after it. */
  readonly needs?: readonly string[];
  /** The same of those that it waits for by itself: they need only be under way. */
  readonly after?: readonly string[];
  readonly probe: ResolvedProbe;
  /** How long it may take to end after SIGTERM. @default 10000 */
  readonly stopMs?: number;
  /** How long it may take to be healthy for the first time before that is said as a problem. @default 60000 */
  readonly startMs?: number;
  /**
   * It hands its work over to its successor by itself, without a break, where its description has changed. What it
   * started goes on when it is killed, and makes room for the next one.
   */
  readonly handover?: Handover;
}

/** A gateway's. */
export interface Handover {
  /** Path of its admin socket: who answers there is the one that serves. */
  readonly socket: string;
  /** What it runs by. */
  readonly snapshotFile: string;
  /** Where it reads how its successor is started. */
  readonly successorFile: string;
}

export interface SpecFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** The program reads it again by itself, so a change does not restart it (certificates). */
  readonly reloads?: boolean;
}

/** How one sees that it works. Asked again and again, for as long as it runs. */
export type ResolvedProbe =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'http';
      readonly url: string;
      /** Asked at this unix socket; the host of the url is a name only. */
      readonly socketPath?: string;
      /** Files, so that renewed ones are used. */
      readonly tls?: {
        readonly ca: string;
        readonly cert?: string;
        readonly key?: string;
        readonly serverName?: string;
      };
    }
  /**
   * A program that asks it where we cannot, as on a network of its own: 0 is healthy, 1 an answer that says no, for a
   * reason that it prints; anything else is silence.
   */
  | { readonly kind: 'command'; readonly file: string; readonly args: readonly string[] }
  /** Nothing to ask: it is healthy when it has not ended for so long. */
  | { readonly kind: 'alive'; readonly ms: number };

export type ComponentPhase =
  /** Something it needs is not there yet. */
  | 'waiting'
  /** Its program is being fetched or built. */
  | 'getting'
  | 'starting'
  | 'healthy'
  /** It was healthy, and its probe fails now. */
  | 'unhealthy'
  /** It ended, and is started again after a while. */
  | 'restarting'
  /** It cannot be started as it is wanted, and trying again soon would not help. */
  | 'failed'
  | 'stopping'
  | 'stopped';

/** The answers to the questions every component is asked. */
export interface Observed extends ComponentId {
  readonly phase: ComponentPhase;
  readonly healthy: boolean;
  /** Why it is not healthy, for people. */
  readonly why?: string;
  /** What happens next by itself, or what a person must do. */
  readonly next?: string;
  /** Of what runs now: another one after each start. Absent where nothing runs. */
  readonly instance?: string;
  readonly since: number;
  readonly restarts: number;
  readonly memoryBytes?: number;
  readonly cpuSeconds?: number;
  readonly version?: string;
}

const byPhase: Readonly<Record<ComponentPhase, readonly [reason: string, message: string]>> = {
  waiting: ['Waiting', 'it waits for what it needs'],
  getting: ['GettingProgram', 'its program is being fetched or built'],
  starting: ['Starting', 'it is starting'],
  healthy: ['Healthy', 'it works'],
  unhealthy: ['ProbeFailed', 'it does not answer'],
  restarting: ['Restarting', 'it ended, and is started again'],
  failed: ['CannotStart', 'it cannot be started'],
  stopping: ['Stopping', 'it is being stopped'],
  stopped: ['Stopped', 'it is stopped'],
};

/** Undefined is one that the driver has not begun with. */
export function verdictOnComponent(observed: Observed | undefined): Verdict {
  if (observed?.healthy === true) return verdictTrue('Healthy');
  const [reason, message] = byPhase[observed?.phase ?? 'waiting'];
  return verdictFalse(reason, observed?.why ?? message, observed?.next);
}

export interface Driver {
  /**
   * All components that a scope is to have, in any order: starts what is missing, restarts what has changed (dependents
   * wait), stops what is not in the list any more. Answers at once; `look` tells how far it is.
   */
  apply(scope: Scope, specs: readonly ComponentSpec[]): void;
  /** Stops all of a scope, dependents first. */
  remove(scope: Scope): Promise<void>;
  look(): readonly Observed[];
  /** Called, at most every 100 ms, when an answer of `look` has changed in more than its figures; of which scopes. */
  onChange(listener: (scopes: ReadonlySet<Scope>) => void): () => void;
  /** The last lines, oldest first. */
  tail(id: ComponentId, lines: number): Promise<readonly string[]>;
  /** Lines from now on. What it returns ends it. */
  follow(id: ComponentId, line: (text: string) => void): () => void;
  /** Stops everything: scopes side by side, dependents first in each. */
  stop(): Promise<void>;
}

/** Of the program that a component is: as it was asked for, or the newest that we know. */
export function versionOf(program: ComponentSpec['program']): string | undefined {
  if ('file' in program) return undefined;
  const known: Program = programs[program.name];
  return program.version?.replace(/^v/, '') ?? known.versions[0];
}
