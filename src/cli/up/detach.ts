// `up --detach`: the platform in a process of its own, and a report of how its start went.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Summary } from '../../api/schema/status.ts';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { platformHome } from '../../runtime/local/home.ts';
import type { UpOptions } from '../commands/up.ts';
import { controlClient, isNotRunning } from '../control/control-client.ts';
import { readDuration } from '../duration-option.ts';
import { say } from '../started-as.ts';
import { manifestErrors, pageLink, type Status, startedText, statusText } from './summary.ts';

const pollMs = 100;

export async function detach(directory: string, options: UpOptions): Promise<number> {
  const wait = readDuration('--wait', options.wait);
  await refuseSecond(directory);
  const output = path.join(platformHome(directory).state, 'up.out');
  const child = startChild(directory, options, output);
  const status = await settled(directory, child, performance.now() + wait);
  if (status === undefined) return outputOfChild(child, output);
  return report(directory, status);
}

async function refuseSecond(directory: string): Promise<void> {
  const running = await ask<Summary>(directory, 'summary');
  if (running === undefined) return;
  throw new CausewayError(
    'CW-UP-TWICE',
    `a platform runs on ${directory} already, since ${new Date(running.startedAt).toISOString()}`,
    `"causeway status ${directory}" shows it, "causeway down ${directory}" stops it`,
  );
}

function startChild(directory: string, options: UpOptions, output: string): ChildProcess {
  mkdirSync(path.dirname(output), { recursive: true, mode: 0o700 });
  const file = openSync(output, 'w', 0o600);
  const command = [...process.execArgv, process.argv[1] ?? '', 'up', directory, ...flagsOf(options)];
  const child = spawn(process.execPath, command, { detached: true, stdio: ['ignore', file, file] });
  closeSync(file);
  child.unref();
  return child;
}

/** As they were given, for the process that does the work. */
function flagsOf(options: UpOptions): string[] {
  const { detach: _, wait: __, ...given } = options;
  const dashed = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each: string) => [dashed(name), each]),
  );
}

/** All is ready, nothing can be, or the time is over; undefined when the process has ended. */
async function settled(directory: string, child: ChildProcess, deadline: number): Promise<Status | undefined> {
  for (;;) {
    const summary = await ask<Summary>(directory, 'summary');
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    const isOver = performance.now() > deadline;
    if (summary === undefined && isOver) throw noAnswer(directory, child);
    if (summary !== undefined && (summary.phase === 'running' || cannotStart(summary) || isOver))
      return ask<Status>(directory, 'status');
    await sleep(pollMs);
  }
}

const noAnswer = (directory: string, { pid }: ChildProcess): CausewayError =>
  new CausewayError(
    'CW-UP-NO-ANSWER',
    `the platform was started (process ${pid}), and does not answer yet`,
    `wait, and ask "causeway status ${directory}"; or start it without --detach to see what it does`,
  );

const cannotStart = ({ broken, clusters }: Summary): boolean => broken && clusters.total === 0;

/** Undefined while nobody answers. */
async function ask<Answer>(directory: string, what: 'summary' | 'status'): Promise<Answer | undefined> {
  try {
    return JSON.parse(await controlClient(directory).ask('GET', `/api/v1/${what}`)) as Answer;
  } catch (error) {
    if (isNotRunning(error)) return undefined;
    throw error;
  }
}

/** What it said is said once more. */
function outputOfChild({ exitCode }: ChildProcess, output: string): number {
  process.stderr.write(readFileSync(output, 'utf8'));
  return exitCode ?? exitCodes.internal;
}

async function report(directory: string, status: Status): Promise<number> {
  const control = controlClient(directory);
  if (status.phase !== 'running') {
    const errors = await manifestErrors(control, status);
    say(`${statusText(status, errors)}\nIt goes on in the background; "causeway down ${directory}" stops it.\n`);
    return status.broken ? exitCodes.findings : exitCodes.internal;
  }
  const url = await pageLink(control);
  say(`${startedText({ ...status, directory }, url)}"causeway down ${directory}" stops it.\n`);
  return exitCodes.ok;
}
