import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../../core/errors.ts';
import { platformHome } from '../../runtime/local/home.ts';
import { lastOwner } from '../../runtime/local/index.ts';
import { isRunning } from '../../sys/is-running.ts';
import { controlClient } from '../control/control-client.ts';
import { platformDirectory } from '../up/choose-directory.ts';

/** Longer than every component may take, one after the other. */
const timeoutMs = 90_000;

/** Returns when the platform is gone, with all that it had started. */
export async function runDown(dir: string | undefined): Promise<number> {
  const directory = platformDirectory(dir);
  const pid = lastOwner(platformHome(directory).state)?.pid;
  await controlClient(directory).ask('POST', '/control/stop');
  process.stdout.write('stopping …\n');
  const deadline = performance.now() + timeoutMs;
  while (pid !== undefined && isRunning(pid)) {
    if (performance.now() > deadline) throw notDeletedInTime(pid);
    await sleep(100);
  }
  process.stdout.write('stopped\n');
  return 0;
}

const notDeletedInTime = (pid: number): CausewayError =>
  new CausewayError(
    'CW-UP-STILL-THERE',
    `the platform (process ${pid}) has not ended yet`,
    `see its log; "kill -9 ${pid}" ends it at once, and the next "causeway up" cleans up`,
  );
