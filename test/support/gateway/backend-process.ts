// A backend that can be killed: run by node with its name, it says its port and then greets and echoes in cleartext.
import { fileURLToPath } from 'node:url';
import { type Running, run } from '../child-process.ts';
import { plainBackend } from './backends.ts';
import type { Undo } from './undo.ts';
import { until } from './until.ts';

export interface BackendProcess {
  readonly process: Running;
  readonly target: string;
}

const own = fileURLToPath(import.meta.url);

export async function startBackendProcess(t: Undo, name: string): Promise<BackendProcess> {
  const backend = run(t, { program: process.execPath, args: [own, name] });
  await until(() => backend.said().includes('\n'));
  return { process: backend, target: backend.said().trim() };
}

if (process.argv[1] === own) {
  const { target } = await plainBackend(process.argv[2] ?? 'backend');
  process.stdout.write(`${target}\n`);
}
