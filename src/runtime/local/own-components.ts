// What the platform itself consists of, answered like any other component: this process, and the gateways' workers.
import type { ObservedComponent, ObservedGateway } from '../platform-runtime.ts';
import type { PlatformHome } from './home.ts';
import { logPathOf } from './launch.ts';
import { ownLog } from './own-log.ts';
import { memoryBytes as memoryOf, readFacts } from './procfs.ts';

export function ownComponents(
  home: PlatformHome,
  gateways: readonly ObservedGateway[],
  since: number,
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
  return [itself, ...gateways.map((gateway) => gatewayComponent(gateway, since, logFile))];
}

const healthy = { phase: 'healthy', healthy: true } as const;

/** Its first worker stands for it; all of them are replaced when they end. */
function gatewayComponent(gateway: ObservedGateway, since: number, logFile: string): ObservedComponent {
  const [worker] = gateway.workers;
  const { problem } = gateway;
  const state =
    gateway.healthy && problem === undefined
      ? healthy
      : { phase: 'starting' as const, healthy: false, why: problem?.message ?? 'its worker is being started' };
  return {
    scope: ownLog.scope,
    name: `gateway-${gateway.seed}`,
    ...state,
    ...(problem?.fix === undefined ? {} : { next: problem.fix }),
    ...(worker === undefined ? {} : { instance: String(worker.pid), pid: worker.pid, ...figuresOf(worker.pid) }),
    since: worker?.startedAt ?? since,
    restarts: gateway.restarts,
    version: process.version,
    logFile,
  };
}

function figuresOf(pid: number): Pick<ObservedComponent, 'memoryBytes' | 'cpuSeconds'> {
  const memoryBytes = memoryOf(pid);
  const cpuSeconds = readFacts(pid)?.cpuSeconds;
  return { ...(memoryBytes === undefined ? {} : { memoryBytes }), ...(cpuSeconds === undefined ? {} : { cpuSeconds }) };
}
