// A component that hands over by itself (a gateway): who answers at its socket is adopted, and brought to its newest
// description without a break. Others with its mark may be there: its workers, and processes before it whose connections
// have not ended. They end by themselves, at the latest with the component.
import type { Handover } from '../../control-plane/index.ts';
import { gatewayClient } from '../../gateway/index.ts';
import type { Log } from '../../sys/log.ts';
import { isMarked, killMarked, type Orphan, orphanAt } from './orphans.ts';
import type { Child } from './process.ts';

interface Place {
  /** Of the platform. */
  readonly directory: string;
  readonly key: string;
  readonly handover: Handover;
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
  const { handover, specHash, log, key, prepare } = takeover;
  const serving = await servingNow(takeover);
  if (serving === undefined) return undefined;
  prepare();
  if (serving.specHash === specHash) return serving.child;
  const { pid } = serving.child;
  log.info('hands over to a process by the newest description', { component: key, pid });
  try {
    const next = await gatewayClient(handover).upgrade();
    return orphanAt(takeover.directory, key, next)?.child;
  } catch (error) {
    log.warn('could not hand over, and goes on as it is', { component: key, pid, why: (error as Error).message });
    return serving.child;
  }
}

/** Whether another process of the component serves by now: somebody else may have asked it to hand over. */
export async function hasHandedOver({ directory, key, handover }: Place, pid: number): Promise<boolean> {
  const report = await gatewayClient(handover)
    .report()
    .catch(() => undefined);
  return report !== undefined && report.pid !== pid && isMarked(directory, key, report.pid);
}

async function servingNow({ directory, key, handover }: Place): Promise<Orphan | undefined> {
  try {
    const report = await gatewayClient(handover).report();
    return report && orphanAt(directory, key, report.pid);
  } catch {
    // Somebody listens and says nothing for long: it hangs, and nobody else can listen there before it ends.
    await killMarked(directory, key);
    return undefined;
  }
}
