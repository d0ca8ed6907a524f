// What a change of the manifests would mean: findings of the whole, and what other teams would be asked for.
import { isDeepStrictEqual } from 'node:util';
import { memoLast } from '../../core/memo.ts';
import type { Finding } from '../../model/finding.ts';
import { fieldOf } from '../../model/finding.ts';
import type { Loaded } from '../../model/load/index.ts';
import type { PlanCache } from '../../plan/cache.ts';
import { type Reviewed, review } from '../../plan/review.ts';
import type { Runtime } from '../../plan/runtime.ts';
import { diffPlans } from '../../render/diff/index.ts';
import type { DryRun } from '../schema/resources.ts';
import { shownFinding } from '../views/findings.ts';
import { needsOf } from '../views/needs.ts';
import { type DocumentId, resourceOf } from './change-files.ts';

export interface Judged {
  readonly before: Reviewed;
  readonly after: Reviewed;
  /** Errors that were not there before, or that the document itself has. */
  readonly errors: readonly Finding[];
}

/** What is there is compared with again and again, by whoever fills in a form. */
const reviewed = memoLast<Loaded, Reviewed>();

/** What only running clusters know. */
export type Objections = (planned: NonNullable<Reviewed['planned']>) => Promise<readonly Finding[]>;

export interface Question {
  readonly id: DocumentId;
  readonly before: Loaded;
  readonly after: Loaded;
  readonly day: string;
  /** What the platform is run by. */
  readonly runtime: Runtime;
  /** That of the platform. */
  readonly cache: PlanCache;
}

/** What others have wrong already does not keep anybody from changing this document. */
export async function judge(question: Question, objections: Objections): Promise<Judged> {
  const { id, before, after, day, runtime, cache } = question;
  const whole = async (found: Reviewed): Promise<Reviewed> =>
    found.planned === undefined
      ? found
      : { ...found, findings: [...found.findings, ...(await objections(found.planned))] };
  const old = await whole(reviewed(before, [day, runtime], () => review(before, day, runtime, cache)));
  const now = await whole(review(after, day, runtime, cache));
  const known = new Set(errorsOf(old.findings).map(identity));
  const isOwn = ({ resource, related }: Finding): boolean => [resource, related].includes(resourceOf(id));
  const errors = errorsOf(now.findings).filter((error) => !known.has(identity(error)) || isOwn(error));
  return { before: old, after: now, errors };
}

const errorsOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ severity, waived }) => severity === 'error' && waived === undefined);

/** The same finding, wherever its line has moved to. */
const identity = ({ code, resource, path = [], message }: Finding): string =>
  JSON.stringify([code, resource, fieldOf(path), message]);

const nothing: DryRun['needs'] = { flows: [], dns: [], certificates: [], addresses: [] };

export function dryRunOf({ before, after, errors }: Judged, { kind, name }: DocumentId): DryRun {
  const plan = after.planned?.plan;
  const endpoint = kind === 'Cluster' ? plan?.endpoints[name] : undefined;
  const isPlanned = before.planned !== undefined && plan !== undefined;
  return {
    allowed: errors.length === 0,
    errors: errors.map(shownFinding),
    findings: after.findings.map(shownFinding),
    diff: isPlanned && before.planned !== undefined ? diffPlans(before.planned.plan, plan) : [],
    needs: kind === 'Cluster' && after.planned !== undefined ? needsOf(after.planned, name) : nothing,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** What was written is what was meant, as the loader will read it. */
export const says = (loaded: Loaded, id: DocumentId, value: unknown): boolean =>
  loaded.documents.some((document) => document.resource === resourceOf(id) && isDeepStrictEqual(document.value, value));
