// manifests → model → plan → findings: the one way every command goes.
import { existsSync } from 'node:fs';
import { exitCodes } from '../core/errors.ts';
import type { Finding } from '../model/index.ts';
import { type Loaded, load } from '../model/load/index.ts';
import { exitCodeOf, type Format, formatFindings, type ReportOptions } from '../model/report/index.ts';
import {
  kubernetesRuntime,
  type Reviewed as ReviewedManifests,
  type Runtime,
  review as reviewAt,
} from '../plan/index.ts';
import { localRuntime } from '../runtime/local/capabilities.ts';
import { clustersDirectory, platformHome } from '../runtime/local/home.ts';
import { asTyped } from './started-as.ts';

export interface Reviewed extends ReviewedManifests {
  /** Directory that the positions are relative to. */
  readonly root?: string;
  /** Files with documents in them, relative to the root. */
  readonly files?: readonly string[];
}

export async function reviewPath(path: string): Promise<Reviewed> {
  const loaded = await load(path);
  const files = [...new Set(loaded.documents.map(({ file }) => file))];
  return { ...review(loaded, runtimeOf(path)), root: loaded.root, files };
}

/** As of today, which decides which waivers still hold. */
export const review = (loaded: Loaded, runtime?: Runtime): Reviewed =>
  reviewAt(loaded, new Date().toISOString().slice(0, 10), runtime);

/** What `up` keeps beside the manifests says that their control planes run on this machine. */
const runtimeOf = (directory: string): Runtime =>
  existsSync(clustersDirectory(platformHome(directory))) ? localRuntime : kubernetesRuntime;

/** Findings go to the error stream when the output of the command is something else. */
export function printFindings(
  { findings, root }: Pick<Reviewed, 'findings' | 'root'>,
  stream: NodeJS.WriteStream,
  format: Format = 'text',
): number {
  if (findings.length > 0 || stream === process.stdout)
    stream.write(formatted(findings, { format, color: colored(stream), ...(root === undefined ? {} : { root }) }));
  return exitCodeOf(findings);
}

/** Programs get the words of the reference, people their own command. */
const formatted = (findings: readonly Finding[], options: ReportOptions): string => {
  const text = formatFindings(findings, options);
  return options.format === 'text' ? asTyped(text) : text;
};

export const fails = (findings: readonly Finding[]): boolean => exitCodeOf(findings) === exitCodes.findings;

const colored = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && stream.hasColors() && process.env.NO_COLOR === undefined;
