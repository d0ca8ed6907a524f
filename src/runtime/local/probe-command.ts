import { execFile } from 'node:child_process';
import type { Probe } from '../../control-plane/component.ts';
import type { Answer } from './probe.ts';

/** One run of the program that asks for us. */
export function askedByCommand(
  { file, args }: Extract<Probe, { kind: 'command' }>,
  patienceMs: number,
): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: patienceMs, killSignal: 'SIGKILL' }, (error, stdout) => {
      if (error === null) return resolve({ healthy: true });
      const [said = ''] = stdout.split('\n');
      const answered = error.code === 1;
      resolve({ healthy: false, answered, why: answered && said !== '' ? said : 'it does not answer' });
    });
  });
}
