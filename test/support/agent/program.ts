// What is brought to a worker for its node agent.

import { cpSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../source-tree.ts';

/** As docs/guides/bring-your-own-workers.md has it. */
const parts = ['causeway', 'libexec', 'package.json', 'src'];

export function copyAgentProgram(to: string): string {
  for (const part of parts) cpSync(path.join(projectRoot, part), path.join(to, part), { recursive: true });
  return to;
}
