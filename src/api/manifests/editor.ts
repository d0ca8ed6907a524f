// Changes of documents: refused where somebody else was faster or where they would break what works, else written.
import type { LoadedDocument } from '../../model/load/index.ts';
import type { Platform } from '../../up/view.ts';
import { ApiError, notFound } from '../problems.ts';
import type { DryRun } from '../schema/resources.ts';
import { applied, type DocumentId, type FileChange, removed, resourceOf } from './change-files.ts';
import { dryRunOf, type Judged, judge, says } from './judge.ts';
import { documentOf, etagOf, type ManifestStore, type Manifests } from './manifest-store.ts';
import { changedMeanwhile } from './write-change.ts';

export interface Editor {
  tryApply(id: DocumentId, value: unknown): Promise<DryRun>;
  tryRemove(id: DocumentId): Promise<DryRun>;
  /** Whether it is new. */
  apply(id: DocumentId, value: unknown, ifMatch: string | undefined): Promise<boolean>;
  remove(id: DocumentId, ifMatch: string | undefined): Promise<void>;
}

/** A change, and what it would mean. */
interface Considered extends Judged {
  readonly manifests: Manifests;
  readonly change: FileChange;
}

export function createEditor(platform: Platform, store: ManifestStore, now: () => number): Editor {
  const day = (): string => new Date(now()).toISOString().slice(0, 10);
  const consider = (manifests: Manifests, change: FileChange, changed = store.with(manifests, change)): Considered => ({
    manifests,
    change,
    ...judge(manifests.loaded, changed, day(), (planned) => platform.objections(planned)),
  });
  const considerApply = (manifests: Manifests, id: DocumentId, value: unknown): Considered => {
    const change = applied(manifests.tree.files, id, value, documentOf(manifests.loaded, id));
    const changed = store.with(manifests, change);
    if (!says(changed, id, value)) throw notWritable(id);
    return consider(manifests, change, changed);
  };
  const considerRemove = (manifests: Manifests, id: DocumentId): Considered =>
    consider(manifests, removed(manifests.tree.files, known(documentOf(manifests.loaded, id), id)));
  const write = ({ manifests, change, newErrors }: Considered): void => {
    if (newErrors.length > 0) throw wouldBreak(newErrors);
    store.write(manifests, change);
  };
  return {
    tryApply: async (id, value) => dryRunOf(considerApply(await store.now(), id, value), id),
    tryRemove: async (id) => dryRunOf(considerRemove(await store.now(), id), id),
    apply: (id, value, ifMatch) =>
      store.alone(async () => {
        const manifests = await store.now();
        const document = documentOf(manifests.loaded, id);
        assertMatches(document, ifMatch);
        write(considerApply(manifests, id, value));
        await platform.reload();
        return document === undefined;
      }),
    remove: (id, ifMatch) =>
      store.alone(async () => {
        const manifests = await store.now();
        assertMatches(known(documentOf(manifests.loaded, id), id), ifMatch);
        write(considerRemove(manifests, id));
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

const wouldBreak = (findings: Judged['newErrors']): ApiError =>
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
