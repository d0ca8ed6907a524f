// What a change of the manifests would mean: findings of the whole, and what other teams would be asked for.
import { isDeepStrictEqual } from 'node:util';
import { memoLast } from '../../core/memo.ts';
import type { Finding } from '../../model/finding.ts';
import { fieldOf } from '../../model/finding.ts';
import type { Loaded } from '../../model/load/index.ts';
import { type Reviewed, review } from '../../plan/review.ts';
import { diffPlans } from '../../render/diff/index.ts';
import type { DryRun } from '../schema/resources.ts';
import { shownFinding } from '../views/findings.ts';
import { needsOf } from '../views/needs.ts';
import { type DocumentId, resourceOf } from './change-files.ts';

export interface Judged {
  readonly before: Reviewed;
  readonly after: Reviewed;
  /** Errors that were not there before. */
  readonly newErrors: readonly Finding[];
}

/** What is there is compared with again and again, by whoever fills in a form. */
const reviewed = memoLast<Loaded, Reviewed>();

/** What only running clusters know. */
export type Objections = (planned: NonNullable<Reviewed['planned']>) => readonly Finding[];

export function judge(before: Loaded, after: Loaded, day: string, objections: Objections): Judged {
  const whole = (found: Reviewed): Reviewed =>
    found.planned === undefined ? found : { ...found, findings: [...found.findings, ...objections(found.planned)] };
  const old = whole(reviewed(before, [day], () => review(before, day)));
  const now = whole(review(after, day));
  const known = new Set(errorsOf(old.findings).map(identity));
  return { before: old, after: now, newErrors: errorsOf(now.findings).filter((error) => !known.has(identity(error))) };
}

const errorsOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ severity, waived }) => severity === 'error' && waived === undefined);

/** The same finding, wherever its line has moved to. */
const identity = ({ code, resource, path = [], message }: Finding): string =>
  JSON.stringify([code, resource, fieldOf(path), message]);

const nothing: DryRun['needs'] = { flows: [], dns: [], certificates: [], addresses: [] };

export function dryRunOf({ before, after, newErrors }: Judged, { kind, name }: DocumentId): DryRun {
  const plan = after.planned?.plan;
  const endpoint = kind === 'Cluster' ? plan?.endpoints[name] : undefined;
  const isPlanned = before.planned !== undefined && plan !== undefined;
  return {
    allowed: newErrors.length === 0,
    findings: after.findings.map(shownFinding),
    diff: isPlanned && before.planned !== undefined ? diffPlans(before.planned.plan, plan) : [],
    needs: kind === 'Cluster' && after.planned !== undefined ? needsOf(after.planned, name) : nothing,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** What was written is what was meant, as the loader will read it. */
export const says = (loaded: Loaded, id: DocumentId, value: unknown): boolean =>
  loaded.documents.some((document) => document.resource === resourceOf(id) && isDeepStrictEqual(document.value, value));
