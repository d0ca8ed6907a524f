// A supervisor in a process of its own, which may be killed or be made to lack something.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../../test/support/child-process.ts';
import type { ComponentSpec } from '../../../control-plane/index.ts';
import type { ObservedComponent } from '../../platform-runtime.ts';
import { scratch, undoOf } from './supervisor.ts';

const program = fileURLToPath(new URL('./supervisor-main.ts', import.meta.url));

export interface SupervisorProcess {
  look(): readonly ObservedComponent[];
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** @param way What starts it, where that is not its own program: unshare, setpriv … */
export function startSupervisor(
  t: TestContext,
  directory: string,
  specs: readonly ComponentSpec[],
  way: readonly string[] = [],
): SupervisorProcess {
  const file = path.join(scratch(t), 'specs.json');
  writeFileSync(file, JSON.stringify(specs));
  const [first = '', ...args] = [...way, process.execPath, program, directory, file];
  const undo: (() => unknown)[] = [];
  const supervisor = run({ after: (end) => undo.push(end) }, { program: first, args });
  // First in order, then anyhow.
  undoOf(t).after(async () => {
    await supervisor.kill('SIGTERM');
    for (const end of undo) await end();
  });
  const last = (): string =>
    supervisor
      .said()
      .split('\n')
      .slice(0, -1)
      .findLast((line) => line.startsWith('[')) ?? '[]';
  return { look: () => JSON.parse(last()) as ObservedComponent[], kill: supervisor.kill };
}
