// The platform's own log, kept like that of its components: `causeway logs` shows it.
import { writeSync } from 'node:fs';
import type { ComponentId } from '../../control-plane/index.ts';
import { createLog, type Log } from '../../sys/log.ts';
import type { PlatformHome } from './home.ts';
import { logPathOf } from './launch.ts';
import { LogFile } from './log-file.ts';

export const ownLog: ComponentId = { scope: 'platform', name: 'causeway' };

/** Opened with the first word: whoever is refused leaves nothing behind. */
export function openOwnLog(home: PlatformHome): Log {
  const file = new LogFile(logPathOf(home.state, ownLog));
  let descriptor: number | undefined;
  const write = (text: string): void => {
    try {
      descriptor ??= file.open();
      writeSync(descriptor, text);
      if (file.isLarge) file.rotate();
    } catch {
      // A full disk is no reason to end what runs, and there is nowhere else to say so.
    }
  };
  return createLog({ stream: { write }, human: false });
}
