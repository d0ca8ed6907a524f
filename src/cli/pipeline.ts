// manifests → model → plan → findings: the one way every command goes.
import { exitCodes } from '../core/errors.ts';
import type { Finding } from '../model/finding.ts';
import type { Loaded } from '../model/load/index.ts';
import { load, withPositions } from '../model/load/index.ts';
import { exitCodeOf, type Format, formatFindings } from '../model/report/index.ts';
import type { Model } from '../model/schema/index.ts';
import { applyWaivers } from '../model/waivers.ts';
import { buildContext } from '../plan/build-context.ts';
import { planFromContext } from '../plan/index.ts';
import { reviewPlan } from '../plan/rules/index.ts';
import type { Plan } from '../plan/schema/index.ts';

export interface Reviewed {
  /** Absent while the manifests cannot be read as a platform. */
  readonly planned: { readonly model: Model; readonly plan: Plan } | undefined;
  readonly findings: readonly Finding[];
  /** Directory that the positions are relative to. */
  readonly root?: string;
}

export async function reviewPath(path: string): Promise<Reviewed> {
  const loaded = await load(path);
  return { ...review(loaded), root: loaded.root };
}

/** Pure but for the day, which decides which waivers still hold. */
export function review(loaded: Loaded, day: string = today()): Reviewed {
  if (loaded.model === undefined) return { planned: undefined, findings: loaded.findings };
  const context = buildContext(loaded.model, loaded.allocations);
  const plan = planFromContext(context);
  const placed = withPositions(reviewPlan(context, plan), loaded.locate);
  const findings = applyWaivers([...loaded.findings, ...placed], loaded.model, day, loaded.locate);
  return { planned: { model: loaded.model, plan }, findings };
}

/** Findings go to the error stream when the output of the command is something else. */
export function printFindings(
  { findings, root }: Pick<Reviewed, 'findings' | 'root'>,
  stream: NodeJS.WriteStream,
  format: Format = 'text',
): number {
  if (findings.length > 0 || stream === process.stdout)
    stream.write(formatFindings(findings, { format, color: colored(stream), ...(root === undefined ? {} : { root }) }));
  return exitCodeOf(findings);
}

export const fails = (findings: readonly Finding[]): boolean => exitCodeOf(findings) === exitCodes.findings;

const colored = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && stream.hasColors() && process.env.NO_COLOR === undefined;
const today = (): string => new Date().toISOString().slice(0, 10);
