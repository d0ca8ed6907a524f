// Admission of a change of the manifests: findings of the whole, what other teams would be asked for, and whether the role
// of the caller allows it.

import { isDeepStrictEqual } from 'node:util';
import { memoLast } from '../../core/memo.ts';
import { adminChanges, type Finding, fieldOf } from '../../model/index.ts';
import type { Loaded, LoadedDocument } from '../../model/load/index.ts';
import { type PlanCache, type Reviewed, type Runtime, review } from '../../plan/index.ts';
import { diffPlans } from '../../render/index.ts';
import { allows, type Identity } from '../auth/rbac.ts';
import { ApiError } from '../problems.ts';
import type { DryRun } from '../schema/resources.ts';
import { shownFinding } from '../views/documents.ts';
import { needsOf } from '../views/needs.ts';
import { type DocumentId, resourceOf } from './file-changes.ts';

export interface Admission {
  readonly before: Reviewed;
  readonly after: Reviewed;
  /** Errors that were not there before, or that the document itself has. */
  readonly errors: readonly Finding[];
}

/** What is there is compared with again and again, by whoever fills in a form. */
const reviewed = memoLast<Loaded, Reviewed>();

/** What only running clusters know. */
export type Objections = (planned: NonNullable<Reviewed['planned']>) => Promise<readonly Finding[]>;

export interface AdmissionRequest {
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
export async function admit(request: AdmissionRequest, objections: Objections): Promise<Admission> {
  const { id, before, after, day, runtime, cache } = request;
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

export function dryRunOf({ before, after, errors }: Admission, { kind, name }: DocumentId): DryRun {
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

/** Whether the loader reads back exactly what was to be written. */
export const containsDocument = (loaded: Loaded, id: DocumentId, value: unknown): boolean =>
  loaded.documents.some((document) => document.resource === resourceOf(id) && isDeepStrictEqual(document.value, value));

// Field-level access: which fields a role may change. Decided by the manifests before and after and not by the request, so
// that no way of writing a document gets around it.

export function assertMayChange(who: Identity | undefined, before: Loaded, after: Loaded): void {
  if (who !== undefined && allows(who, 'admin')) return;
  const fields = [...new Set(adminFieldsChanged(before, after))];
  if (fields.length > 0) throw onlyForAdmins(who?.name ?? 'nobody', fields);
}

/** As in "Seed/west spec.backup.s3.endpoint". */
function adminFieldsChanged(before: Loaded, after: Loaded): string[] {
  const [old, now] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => changedIn(old.get(key), now.get(key)));
}

function changedIn(before: LoadedDocument | undefined, after: LoadedDocument | undefined): string[] {
  // Documents of files that have not changed keep their identity.
  if (before === after) return [];
  const { kind, resource = 'a document without kind and name' } = (after ?? before) as LoadedDocument;
  if (kind === undefined) return before?.text === after?.text ? [] : [resource];
  return adminChanges(kind, before?.value, after?.value).map((path) =>
    `${resource} ${fieldOf(path).slice(0, longestField)}`.trim(),
  );
}

/** Of two documents with one name the first of both states is compared, then the second. */
function byKey({ documents }: Loaded): Map<string, LoadedDocument> {
  const [found, counts] = [new Map<string, LoadedDocument>(), new Map<string, number>()];
  for (const document of documents) {
    const name = document.resource ?? `${document.file}:`;
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    found.set(`${nth} ${name}`, document);
  }
  return found;
}

const mostShown = 12;
/** Keys of maps are anybody's text. */
const longestField = 120;

function onlyForAdmins(name: string, fields: readonly string[]): ApiError {
  const more = fields.length > mostShown ? ` and ${fields.length - mostShown} more` : '';
  return new ApiError(
    403,
    'CW-API-ADMIN-FIELDS',
    `${name} may not change ${fields.slice(0, mostShown).join(', ')}${more}: what names secrets, files, endpoints, authorities or logins takes the role admin`,
    'leave these fields as they are, or ask an administrator of the platform to change them',
  );
}
