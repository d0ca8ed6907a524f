// Changes of documents: refused where somebody else was faster or where they would break what works, else written.
import type { Loaded, LoadedDocument } from '../../model/load/index.ts';
import type { Platform } from '../../platform/index.ts';
import type { Identity } from '../auth/rbac.ts';
import { ApiError, notFound } from '../problems.ts';
import type { DryRun } from '../schema/resources.ts';
import { type Admission, admit, assertMayChange, containsDocument, dryRunOf } from './admission.ts';
import { applied, changedMeanwhile, type DocumentId, type FileChange, removed, resourceOf } from './file-changes.ts';
import { documentOf, etagOf, type ManifestStore, type Manifests } from './manifest-store.ts';

export interface Editor {
  tryApply(request: ChangeRequest, value: unknown): Promise<DryRun>;
  tryRemove(request: ChangeRequest): Promise<DryRun>;
  /** Whether it is new. */
  apply(request: ChangeRequest, value: unknown): Promise<boolean>;
  remove(request: ChangeRequest): Promise<void>;
}

/** Who wants to change which document, and what must be so for that. */
export interface ChangeRequest {
  readonly id: DocumentId;
  readonly who: Identity | undefined;
  /** The state that the change is about. */
  readonly ifMatch?: string | undefined;
  /** There must be none of this name. */
  readonly isNew?: boolean;
}

/** A change, and what it would mean. */
interface ReviewedChange extends Admission {
  readonly manifests: Manifests;
  readonly change: FileChange;
}

export function createEditor(platform: Platform, store: ManifestStore, now: () => number): Editor {
  const day = (): string => new Date(now()).toISOString().slice(0, 10);
  /** Every change of the manifests comes through here, also one that is only tried out. */
  const reviewChange = async (
    { id, who }: ChangeRequest,
    manifests: Manifests,
    change: FileChange,
    after: Loaded,
  ): Promise<ReviewedChange> => {
    assertMayChange(who, manifests.loaded, after);
    const { runtime, planCache: cache } = platform;
    const admission = { id, before: manifests.loaded, after, day: day(), runtime, cache };
    return { manifests, change, ...(await admit(admission, (planned) => platform.objections(planned))) };
  };
  const reviewApply = (request: ChangeRequest, manifests: Manifests, value: unknown): Promise<ReviewedChange> => {
    const { id } = request;
    const change = applied(manifests.tree.files, id, value, documentOf(manifests.loaded, id));
    const changed = store.with(manifests, change);
    if (!containsDocument(changed, id, value)) throw notWritable(id);
    return reviewChange(request, manifests, change, changed);
  };
  const reviewRemove = (request: ChangeRequest, manifests: Manifests): Promise<ReviewedChange> => {
    const change = removed(manifests.tree.files, known(documentOf(manifests.loaded, request.id), request.id));
    return reviewChange(request, manifests, change, store.with(manifests, change));
  };
  const write = ({ manifests, change, errors }: ReviewedChange): void => {
    if (errors.length > 0) throw wouldBreak(errors);
    store.write(manifests, change);
  };
  return {
    tryApply: async (request, value) => {
      const manifests = await store.now();
      if (request.isNew) assertNew(documentOf(manifests.loaded, request.id), request.id);
      return dryRunOf(await reviewApply(request, manifests, value), request.id);
    },
    tryRemove: async (request) => dryRunOf(await reviewRemove(request, await store.now()), request.id),
    apply: (request, value) =>
      store.alone(async () => {
        const { id, ifMatch, isNew } = request;
        const manifests = await store.now();
        const document = documentOf(manifests.loaded, id);
        if (isNew) assertNew(document, id);
        else assertMatches(document, ifMatch);
        write(await reviewApply(request, manifests, value));
        await platform.reload();
        return document === undefined;
      }),
    remove: (request) =>
      store.alone(async () => {
        const { id, ifMatch } = request;
        const manifests = await store.now();
        assertMatches(known(documentOf(manifests.loaded, id), id), ifMatch);
        write(await reviewRemove(request, manifests));
        // Nobody can have seen that it is gone yet.
        if (id.kind === 'Cluster') platform.expectDeletion(id.name);
        await platform.reload();
      }),
  };
}

function known(document: LoadedDocument | undefined, id: DocumentId): LoadedDocument {
  if (document !== undefined) return document;
  throw notFound(resourceOf(id), `GET /api/v1/resources/${id.kind} lists them`);
}

function assertNew(document: LoadedDocument | undefined, id: DocumentId): void {
  if (document === undefined) return;
  const message = `there is a ${id.kind} ${id.name} already, in ${document.file}`;
  throw new ApiError(412, 'CW-API-EXISTS', message, 'choose another name, or change the one that is there');
}

/** What exists is only changed by somebody who has seen it as it is. */
function assertMatches(document: LoadedDocument | undefined, ifMatch: string | undefined): void {
  if (document === undefined) {
    if (ifMatch !== undefined) throw changedMeanwhile;
  } else if (ifMatch === undefined) throw unseen;
  else if (ifMatch !== '*' && ifMatch !== etagOf(document)) throw changedMeanwhile;
}

const unseen = new ApiError(
  428,
  'CW-API-IF-MATCH',
  'it exists already, so the change must say which state it is about',
  'read it, and send its etag as If-Match',
);

const wouldBreak = (findings: Admission['errors']): ApiError =>
  new ApiError(422, 'CW-API-FINDINGS', 'the manifests would have errors, so nothing was written', 'mend the findings', {
    findings,
  });

const notWritable = (id: DocumentId): ApiError =>
  new ApiError(
    422,
    'CW-API-WRITE',
    `${resourceOf(id)} cannot be written as YAML that reads the same`,
    'change the file by hand',
  );
