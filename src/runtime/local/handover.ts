// A component that hands over by itself (a gateway): who answers at its socket is adopted, and brought to its newest
// description without a break. Others with its mark may be there: its workers, and processes before it whose connections
// have not ended. They end by themselves, at the latest with the component.
import { readFileSync } from 'node:fs';
import type { Handover } from '../../control-plane/index.ts';
import { gatewayClient, isSilence } from '../../gateway/index.ts';
import type { Log } from '../../sys/log.ts';
import { isMarked, killMarked, type Orphan, orphanAt } from './orphans.ts';
import type { Child } from './process.ts';

interface Place {
  /** Of the platform. */
  readonly directory: string;
  readonly key: string;
  readonly handover: Handover;
  /** Who says nothing for so long hangs. @default as the client has it */
  readonly timeoutMs?: number;
}

export interface Takeover extends Place {
  /** Of the newest description. */
  readonly specHash: string;
  readonly log: Log;
  /** Writes how it is started by the newest description. */
  prepare(): void;
}

/** Undefined where nobody serves. */
export async function takeOver(takeover: Takeover): Promise<Child | undefined> {
  const former = formerPlace(takeover);
  const serving = (await servingAt(takeover)) ?? (former && (await servingAt(former)));
  if (serving === undefined) return undefined;
  takeover.prepare();
  return serving.specHash === takeover.specHash ? serving.child : handOver(takeover, serving);
}

interface Serving extends Orphan {
  readonly place: Place;
}

async function handOver({ directory, key, log }: Takeover, { child, place }: Serving): Promise<Child | undefined> {
  const { pid } = child;
  log.info('hands over to a process by the newest description', { component: key, pid });
  try {
    const next = await gatewayClient(place.handover).upgrade();
    return orphanAt(directory, key, next)?.child;
  } catch (error) {
    log.warn('could not hand over, and goes on as it is', { component: key, pid, why: (error as Error).message });
    return child;
  }
}

/** Whether another process of the component serves by now: somebody else may have asked it to hand over. */
export async function hasHandedOver({ directory, key, handover }: Place, pid: number): Promise<boolean> {
  const report = await gatewayClient(handover)
    .report()
    .catch(() => undefined);
  return report !== undefined && report.pid !== pid && isMarked(directory, key, report.pid);
}

async function servingAt(place: Place): Promise<Serving | undefined> {
  const { directory, key, handover, timeoutMs } = place;
  try {
    const report = await gatewayClient({ ...handover, ...(timeoutMs && { timeoutMs }) }).report();
    const orphan = report && orphanAt(directory, key, report.pid);
    return orphan && { ...orphan, place };
  } catch (error) {
    // Nobody else can listen there before it ends. Any other failure passes: whoever is started meanwhile ends by itself.
    if (isSilence(error)) await killMarked(directory, key);
    return undefined;
  }
}

/** By the description before: sockets are in another directory where `up` was started in a session of another kind. */
function formerPlace({ directory, key, handover }: Place): Place | undefined {
  try {
    const { args } = JSON.parse(readFileSync(handover.successorFile, 'utf8')) as { args: readonly string[] };
    const socket = args[args.indexOf('--admin') + 1]?.replace(/^unix:/, '');
    if (socket === undefined || socket === handover.socket) return undefined;
    return { directory, key, handover: { ...handover, socket } };
  } catch {
    return undefined;
  }
}
