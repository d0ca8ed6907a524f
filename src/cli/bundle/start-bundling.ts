import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

/** For the next start, where the launcher found none of these sources. What goes wrong there costs only that start's speed. */
export function startBundling(env = process.env): void {
  if (env.CAUSEWAY_MAKE_BUNDLE === undefined) return;
  const child = spawn(process.execPath, [...process.execArgv, program], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.once('spawn', () => setPriority(child.pid as number, constants.priority.PRIORITY_LOW));
  child.unref();
}
