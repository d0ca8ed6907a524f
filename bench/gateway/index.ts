// The gateway and the node agent against Envoy, HAProxy, nginx and the wire, on loopback, in turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CausewayError } from '../../src/core/errors.ts';
import { type BenchOptions, known, type Row } from '../row.ts';
import { changeRow, measureChange } from './change.ts';
import { checkDescriptors, idleRow, measureIdle } from './idle.ts';
import { buildLoad, startBackend } from './load.ts';
import { endOnSignals } from './processes.ts';
import { summarize } from './profile.ts';
import { findPeers } from './programs.ts';
import { measureSpeed } from './speed.ts';
import { type Group, speedRows } from './speed-rows.ts';
import { endSubject, ready, type Setting, type StartSubject, type Subject } from './subject.ts';
import { changeStarts, chosen, idleStarts, peerNames, speedStarts } from './subjects.ts';

/** As KKP runs Envoy here, and as many cores as the smallest machine has. */
const workers = 2;
const defaultRounds = 5;
/** Rows that start everybody anew in each round. */
const maxSlowRounds = 3;
const groups: readonly Group[] = ['sni', 'tunnel', 'tunnel-tls'];
const rowNames = [...speedRows.map((row) => row.name), idleRow, changeRow];
type Progress = (line: string) => void;

export async function run(progress: Progress, options: BenchOptions = {}): Promise<{ rows: Row[] }> {
  const wanted = known('row', options.only ?? rowNames, rowNames);
  known('peer', options.peers ?? [], peerNames);
  if (wanted.includes(idleRow)) checkDescriptors();
  return withSetting(options, progress, async (setting) => {
    const rows = await measureAll(setting, wanted, options, progress);
    return { rows: complete(rows, wanted) };
  });
}

async function measureAll(setting: Setting, wanted: readonly string[], options: BenchOptions, progress: Progress) {
  const { rounds = defaultRounds } = options;
  const slowRounds = Math.min(rounds, maxSlowRounds);
  const rows: Row[] = [];
  for (const group of groups) {
    const own = speedRows.filter((row) => row.group === group && wanted.includes(row.name));
    if (own.length === 0) continue;
    const measure = (all: readonly Subject[]) => measureSpeed(all, setting, { rows: own, rounds, progress });
    rows.push(...(await withSubjects(chosen(speedStarts[group], options), setting, measure)));
  }
  if (wanted.includes(idleRow))
    rows.push(await measureIdle(chosen(idleStarts, options), setting, slowRounds, progress));
  if (wanted.includes(changeRow))
    rows.push(await measureChange(chosen(changeStarts, options), setting, slowRounds, progress));
  return rows;
}

/** A backend, a place for files, and the program that makes load; all gone afterwards. */
async function withSetting<Result>(
  { profile, peers = peerNames }: BenchOptions,
  progress: Progress,
  work: (setting: Setting) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-bench-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  const ignoreSignals = endOnSignals();
  process.once('exit', remove);
  const profiles = profile ? mkdtempSync(path.join(tmpdir(), 'causeway-profiles-')) : undefined;
  try {
    const programs = await findPeers((peer) => peers.includes(peer));
    const load = await buildLoad(directory);
    await load.writeCertificate(directory);
    const backend = await startBackend(load);
    const setting = { directory, load, backend: backend.port, workers, programs, ...(profiles && { profiles }) };
    return await work(setting).finally(() => backend.program.end());
  } finally {
    ignoreSignals();
    remove();
    if (profiles !== undefined) tellProfiles(profiles, progress);
  }
}

function tellProfiles(directory: string, progress: Progress): void {
  for (const line of summarize(directory)) progress(line);
  progress(`profiles are in ${directory}; a browser's developer tools show all of them.`);
}

async function withSubjects<Result>(
  starts: readonly StartSubject[],
  setting: Setting,
  work: (subjects: readonly Subject[]) => Promise<Result>,
): Promise<Result> {
  const subjects: Subject[] = [];
  try {
    for (const start of starts) {
      const subject = await start(setting);
      subjects.push(subject);
      await ready(subject, setting);
    }
    return await work(subjects);
  } finally {
    await Promise.all(subjects.map(endSubject));
  }
}

function complete(rows: Row[], wanted: readonly string[]): Row[] {
  const missing = wanted.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length === 0) return rows;
  throw new CausewayError('CW-CLI-BENCH', `rows are missing: ${missing.join(', ')}`, 'this is a bug of the benchmark');
}
