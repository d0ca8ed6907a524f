// idle-memory: what a connection that does nothing costs, at 5 000 of them.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../../src/core/errors.ts';
import type { Row } from '../row.ts';
import { atMostPeer, type BySubject, type Measured, rowOf } from './figures.ts';
import { whileHolding } from './hold.ts';
import { memoryKiB } from './process-tree.ts';
import { endSubject, ready, type Setting, type StartSubject, type Subject } from './subject.ts';

export const idleRow = 'idle-memory';
const held = 5000;
/** The first connections make a program fetch what it needs for all of them. */
const warm = 200;
/** A proxy in one process has two descriptors per connection, and some of its own. */
const descriptors = held * 2 + 1000;
const settleMs = 1500;

/** Says so at the start, not after ten minutes. */
export function checkDescriptors(): void {
  const soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  if (soft === 'unlimited' || Number(soft) >= descriptors) return;
  const fix = `ulimit -n ${descriptors}, or leave ${idleRow} out with --only`;
  throw new CausewayError('CW-CLI-BENCH', `${idleRow} needs ${descriptors} descriptors, the limit is ${soft}`, fix);
}

export async function measureIdle(
  starts: readonly StartSubject[],
  setting: Setting,
  rounds: number,
  progress: (line: string) => void,
): Promise<Row> {
  const measured: BySubject<Measured>[] = [];
  for (let round = 0; round < rounds; round++) {
    const figures: BySubject<Measured> = {};
    for (const start of starts) {
      const { name, figure } = await measureOne(start, setting);
      figures[name] = { figure };
      progress(`${idleRow} ${round + 1}/${rounds}: ${name} ${figure.toFixed(1)} KiB`);
    }
    measured.push(figures);
  }
  return rowOf({ name: idleRow, unit: 'KiB per connection', ...atMostPeer }, measured);
}

/** In new processes: memory that earlier work left behind would hide what connections need. */
async function measureOne(start: StartSubject, setting: Setting): Promise<{ name: string; figure: number }> {
  const subject = await start(setting);
  try {
    await ready(subject, setting);
    const before = await memoryAt(warm, subject, setting);
    const after = await memoryAt(held, subject, setting);
    return { name: subject.name, figure: (after - before) / (held - warm) };
  } finally {
    await endSubject(subject);
  }
}

async function memoryAt(connections: number, subject: Subject, setting: Setting): Promise<number> {
  const { result, lost } = await whileHolding(subject, setting, connections, async () => {
    await sleep(settleMs);
    return memoryKiB(subject.programs.map((program) => program.pid));
  });
  if (lost === 0) return result;
  throw new CausewayError(
    'CW-CLI-BENCH',
    `${subject.name} lost ${lost} of ${connections} idle connections`,
    'see above',
  );
}
