// A supervisor in a directory of its own with short pauses, and descriptions of small components.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../test/support/gateway/ports.ts';
import { type UndoList, undoAfter } from '../../../../test/support/gateway/undo.ts';
import { until } from '../../../../test/support/gateway/until.ts';
import type { ComponentSpec } from '../../../control-plane/index.ts';
import { silentLog } from '../../../sys/log.ts';
import type { ObservedComponent } from '../../platform-runtime.ts';
import type { RestartPolicy } from '../monitor.ts';
import { createSupervisor, type Supervisor } from '../supervisor.ts';
import type { ComponentSettings } from './component-main.ts';

const program = fileURLToPath(new URL('./component-main.ts', import.meta.url));
export const shortRestartPolicy: Partial<RestartPolicy> = {
  probeMs: 50,
  startingProbeMs: 20,
  firstRestartMs: 20,
  maxRestartMs: 200,
};

const undoLists = new WeakMap<TestContext, UndoList>();
/** Hooks of a test run in the order of their making; a directory must go after whoever writes to it. */
export function undoOf(t: TestContext): UndoList {
  const list = undoLists.get(t) ?? undoAfter(t);
  undoLists.set(t, list);
  return list;
}

export function scratch(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-supervisor-'));
  undoOf(t).after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function supervisorIn(
  t: TestContext,
  directory: string,
  restartPolicy: Partial<RestartPolicy> = {},
): Supervisor {
  const supervisor = createSupervisor({
    directory,
    log: silentLog,
    restartPolicy: { ...shortRestartPolicy, ...restartPolicy },
  });
  undoOf(t).after(() => supervisor.stop());
  return supervisor;
}

/** A component with a port of its own that is asked by HTTP. */
export async function component(
  name: string,
  settings: ComponentSettings = {},
  more: Partial<ComponentSpec> = {},
): Promise<ComponentSpec> {
  const port = settings.port ?? (await freePort());
  return {
    scope: 'cluster/shop',
    name,
    program: { file: process.execPath },
    args: [program, JSON.stringify({ ...settings, name, port })],
    probe: { kind: 'http', url: `http://127.0.0.1:${port}/readyz` },
    ...more,
  };
}

export function observed(supervisor: Pick<Supervisor, 'look'>, name: string): ObservedComponent {
  const found = supervisor.look().find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not there`);
  return found;
}

export async function untilHealthy(supervisor: Pick<Supervisor, 'look'>, ...names: string[]): Promise<void> {
  await until(() => names.every((name) => observed(supervisor, name).healthy), 30_000).catch(() => {
    throw new Error(`not healthy: ${JSON.stringify(supervisor.look(), null, 2)}`);
  });
}
