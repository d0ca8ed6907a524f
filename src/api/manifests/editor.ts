// Changes of documents: refused where somebody else was faster or where they would break what works, else written.
import type { LoadedDocument } from '../../model/load/index.ts';
import type { Platform } from '../../up/view.ts';
import { ApiError, notFound } from '../problems.ts';
import type { DryRun } from '../schema/resources.ts';
import { applied, type DocumentId, type FileChange, removed, resourceOf } from './change-files.ts';
import { dryRunOf, type Judged, judge, says } from './judge.ts';
import { documentOf, etagOf, type ManifestStore, type Manifests } from './manifest-store.ts';
import { changedMeanwhile } from './write-change.ts';

/** What must be so for a change to be made. */
export interface Conditions {
  /** The state that the change is about. */
  readonly ifMatch?: string | undefined;
  /** There must be none of this name. */
  readonly isNew?: boolean;
}

export interface Editor {
  tryApply(id: DocumentId, value: unknown, conditions: Conditions): Promise<DryRun>;
  tryRemove(id: DocumentId): Promise<DryRun>;
  /** Whether it is new. */
  apply(id: DocumentId, value: unknown, conditions: Conditions): Promise<boolean>;
  remove(id: DocumentId, ifMatch: string | undefined): Promise<void>;
}

/** A change, and what it would mean. */
interface Considered extends Judged {
  readonly manifests: Manifests;
  readonly change: FileChange;
}

export function createEditor(platform: Platform, store: ManifestStore, now: () => number): Editor {
  const day = (): string => new Date(now()).toISOString().slice(0, 10);
  const consider = async (
    id: DocumentId,
    manifests: Manifests,
    change: FileChange,
    after = store.with(manifests, change),
  ): Promise<Considered> => ({
    manifests,
    change,
    ...(await judge({ id, before: manifests.loaded, after, day: day() }, (planned) => platform.objections(planned))),
  });
  const considerApply = (manifests: Manifests, id: DocumentId, value: unknown): Promise<Considered> => {
    const change = applied(manifests.tree.files, id, value, documentOf(manifests.loaded, id));
    const changed = store.with(manifests, change);
    if (!says(changed, id, value)) throw notWritable(id);
    return consider(id, manifests, change, changed);
  };
  const considerRemove = (manifests: Manifests, id: DocumentId): Promise<Considered> =>
    consider(id, manifests, removed(manifests.tree.files, known(documentOf(manifests.loaded, id), id)));
  const write = ({ manifests, change, errors }: Considered): void => {
    if (errors.length > 0) throw wouldBreak(errors);
    store.write(manifests, change);
  };
  return {
    tryApply: async (id, value, { isNew = false }) => {
      const manifests = await store.now();
      if (isNew) assertNew(documentOf(manifests.loaded, id), id);
      return dryRunOf(await considerApply(manifests, id, value), id);
    },
    tryRemove: async (id) => dryRunOf(await considerRemove(await store.now(), id), id),
    apply: (id, value, { ifMatch, isNew = false }) =>
      store.alone(async () => {
        const manifests = await store.now();
        const document = documentOf(manifests.loaded, id);
        if (isNew) assertNew(document, id);
        else assertMatches(document, ifMatch);
        write(await considerApply(manifests, id, value));
        await platform.reload();
        return document === undefined;
      }),
    remove: (id, ifMatch) =>
      store.alone(async () => {
        const manifests = await store.now();
        assertMatches(known(documentOf(manifests.loaded, id), id), ifMatch);
        write(await considerRemove(manifests, id));
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

const wouldBreak = (findings: Judged['errors']): ApiError =>
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
