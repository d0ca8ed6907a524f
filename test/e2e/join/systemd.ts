// A real systemd on a machine, with units of that machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onWorker } from '../../../src/runtime/local/workers/real/layout.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { type Systemd, startSystemd } from '../../support/systemd.ts';
import type { Machine } from './machine.ts';

export interface BootOptions {
  /** Files of units, as they are found on the machine. */
  readonly units: readonly string[];
}

export async function bootSystemd(t: Undo, machine: Machine, options: BootOptions): Promise<Systemd> {
  const units = path.join(machine.directory, 'systemd-units');
  mkdirSync(units);
  for (const file of options.units) await copyUnit(machine, file, units);
  const systemd = await startSystemd(t, { units, enter: onWorker(machine.layout) });
  // It has given the machine all of 127.0.0.0/8, where the template has its gateway.
  await machine.run('ip', 'address', 'delete', '127.0.0.1/8', 'dev', 'lo');
  return systemd;
}

async function copyUnit(machine: Machine, file: string, units: string): Promise<void> {
  const name = path.basename(file);
  writeFileSync(path.join(units, name), await machine.run('cat', file));
  if (!name.endsWith('.service')) return;
  mkdirSync(path.join(units, `${name}.d`));
  const lines = logTo(path.join(units, `${name}.log`));
  writeFileSync(path.join(units, `${name}.d/test.conf`), ['[Service]', ...lines, ''].join('\n'));
}

/** There is no journal. */
const logTo = (file: string): string[] => [`StandardOutput=append:${file}`, `StandardError=append:${file}`];
