// A driver in a directory of its own with short pauses, and descriptions of small components.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../test/support/gateway/ports.ts';
import { until } from '../../../../test/support/gateway/until.ts';
import type { ComponentSpec, Driver, Observed } from '../../../control-plane/component.ts';
import { silentLog } from '../../../net/log.ts';
import type { Pace } from '../monitor.ts';
import { createProcessDriver, type ProcessDriver } from '../supervisor.ts';
import type { ComponentSettings } from './component-main.ts';

const program = fileURLToPath(new URL('./component-main.ts', import.meta.url));
export const shortPace: Partial<Pace> = { probe: 50, startingProbe: 20, firstRestart: 20, mostRestart: 200 };

export function scratch(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-driver-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function driverIn(t: TestContext, directory: string, pace: Partial<Pace> = {}): ProcessDriver {
  const driver = createProcessDriver({ directory, log: silentLog, pace: { ...shortPace, ...pace } });
  t.after(() => driver.stop());
  return driver;
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

export function observed(driver: Driver, name: string): Observed {
  const found = driver.look().find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not there`);
  return found;
}

export async function untilHealthy(driver: Driver, ...names: string[]): Promise<void> {
  await until(() => names.every((name) => observed(driver, name).healthy), 30_000).catch(() => {
    throw new Error(`not healthy: ${JSON.stringify(driver.look(), null, 2)}`);
  });
}
