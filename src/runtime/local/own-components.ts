// What the platform itself consists of, answered like any other component: this process, and its gateways.
import type { ObservedComponent, ObservedGateway } from '../platform-runtime.ts';
import type { PlatformHome } from './home.ts';
import { logPathOf } from './launch.ts';
import { ownLog } from './own-log.ts';
import { memoryBytes as memoryOf, readFacts } from './procfs.ts';

export function ownComponents(
  home: PlatformHome,
  gateways: readonly ObservedGateway[],
  since: number,
  /** Of the gateway of a seed, where it is a process of its own. */
  processOf: (seed: string) => ObservedComponent | undefined = () => undefined,
): ObservedComponent[] {
  const logFile = logPathOf(home.state, ownLog);
  const itself: ObservedComponent = {
    ...ownLog,
    ...healthy,
    ...figuresOf(process.pid),
    instance: String(process.pid),
    pid: process.pid,
    since,
    restarts: 0,
    version: process.version,
    logFile,
  };
  return [itself, ...gateways.map((gateway) => gatewayComponent(gateway, processOf(gateway.seed), since, logFile))];
}

const healthy = { phase: 'healthy', healthy: true } as const;

export const gatewayPrefix = 'gateway-';

/** Its process stands for it; where it has none of its own, its first worker does. */
function gatewayComponent(
  gateway: ObservedGateway,
  itself: ObservedComponent | undefined,
  since: number,
  logFile: string,
): ObservedComponent {
  const [worker] = gateway.workers;
  const pid = itself === undefined ? worker?.pid : itself.pid;
  const pids = new Set([...(pid === undefined ? [] : [pid]), ...gateway.workers.map((each) => each.pid)]);
  return {
    scope: ownLog.scope,
    name: `${gatewayPrefix}${gateway.seed}`,
    ...stateOf(gateway, itself),
    ...(pid === undefined ? {} : { instance: String(pid), pid, ...sumOf([...pids].map(figuresOf)) }),
    since: itself?.since ?? worker?.startedAt ?? since,
    restarts: gateway.restarts + (itself?.restarts ?? 0),
    version: process.version,
    logFile: itself?.logFile ?? logFile,
  };
}

type State = Pick<ObservedComponent, 'phase' | 'healthy' | 'why' | 'next'>;

/** What its snapshot meets tells more than that the process is not ready. */
function stateOf({ healthy: serves, problem }: ObservedGateway, itself: ObservedComponent | undefined): State {
  if (serves && problem === undefined) return healthy;
  const { phase = 'starting', why = 'its worker is being started', next } = itself ?? {};
  const isUp = phase === 'healthy' || phase === 'unhealthy';
  if (problem === undefined) return { phase: isUp ? 'starting' : phase, healthy: false, why, ...(next && { next }) };
  return { phase: 'starting', healthy: false, why: problem.message, ...(problem.fix && { next: problem.fix }) };
}

type Figures = Pick<ObservedComponent, 'memoryBytes' | 'cpuSeconds'>;

function sumOf(all: readonly Figures[]): Figures {
  const sum = (figure: keyof Figures): number => all.reduce((total, figures) => total + (figures[figure] ?? 0), 0);
  return all.length === 0 ? {} : { memoryBytes: sum('memoryBytes'), cpuSeconds: sum('cpuSeconds') };
}

function figuresOf(pid: number): Figures {
  const memoryBytes = memoryOf(pid);
  const cpuSeconds = readFacts(pid)?.cpuSeconds;
  return { ...(memoryBytes === undefined ? {} : { memoryBytes }), ...(cpuSeconds === undefined ? {} : { cpuSeconds }) };
}
