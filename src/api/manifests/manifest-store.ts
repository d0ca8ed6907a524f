// The manifests on disk: read when they have changed, written one change at a time.

import { hash } from 'node:crypto';
import { memo, memoLast } from '../../core/memo.ts';
import { byName } from '../../core/names.ts';
import {
  type Loaded,
  type LoadedDocument,
  type LoadMemory,
  loadFiles,
  type ManifestFile,
  type ReadTree,
  readTree,
} from '../../model/load/index.ts';
import type { PlatformView } from '../../platform/index.ts';
import { createMutex, type Mutex } from '../../sys/mutex.ts';
import { type DocumentId, type FileChange, resourceOf, writeChange } from './file-changes.ts';

export interface Manifests {
  readonly tree: ReadTree;
  readonly loaded: Loaded;
}

export interface ManifestStore {
  /** As the platform saw them when it made this view. */
  seen(view: PlatformView): Promise<Manifests>;
  /** As they are on disk now. */
  now(): Promise<Manifests>;
  /** One document as it is on disk now: only its own file is looked at where that has not changed. */
  find(view: PlatformView, id: DocumentId): Promise<LoadedDocument | undefined>;
  /** The same with a change, in memory only. */
  with(manifests: Manifests, change: FileChange): Loaded;
  /** Refused where the file is not what it was among these manifests. */
  write(manifests: Manifests, change: FileChange): void;
  /** One after the other. */
  readonly alone: Mutex;
}

/** Files that are in the memory are not read and parsed again, and what follows from them is not computed again. */
export function createManifestStore(directory: string, memory: LoadMemory): ManifestStore {
  const { known, cache } = memory;
  const unchanged = memoLast<LoadMemory, Manifests>();
  let last: { readonly findings: unknown; readonly model: unknown; readonly read: Promise<Manifests> } | undefined;
  const now = async (): Promise<Manifests> => {
    const tree = await readTree(directory, { known });
    const load = (): Manifests => ({ tree, loaded: loadFiles(tree.files, { findings: tree.findings, cache }) });
    return unchanged(memory, [...tree.files, ...tree.findings], load);
  };
  const seen = ({ findings, model }: PlatformView): Promise<Manifests> => {
    if (last === undefined || last.findings !== findings || last.model !== model)
      last = { findings, model, read: now() };
    return last.read;
  };
  const isCurrent = (document: LoadedDocument): boolean =>
    known.isCurrent(directory, document.file) && cache.get(document.file)?.read.documents.includes(document) === true;
  return {
    now,
    seen,
    async find(view, id) {
      const document = documentOf((await seen(view)).loaded, id);
      if (document !== undefined && isCurrent(document)) return document;
      return documentOf((await now()).loaded, id);
    },
    with: ({ tree }, { path: changed, text }) => {
      const others = tree.files.filter((file) => file.path !== changed);
      const files = text === undefined ? others : [...others, { path: changed, text }].sort(byPath);
      // What is only tried out is not remembered.
      const before = cache.get(changed);
      const loaded = loadFiles(files, { findings: tree.findings, cache });
      if (before === undefined) cache.delete(changed);
      else cache.set(changed, before);
      return loaded;
    },
    write: ({ tree }, change) => {
      const before = tree.files.find((file) => file.path === change.path)?.text;
      writeChange(directory, change, before);
    },
    alone: createMutex(),
  };
}

const byPath = (a: ManifestFile, b: ManifestFile): number => byName(a.path, b.path);

/** Of two documents with one name the first counts. */
const byResource = memo((documents: readonly LoadedDocument[]) => {
  const known = new Map<string, LoadedDocument>();
  for (const document of documents)
    if (document.resource !== undefined && !known.has(document.resource)) known.set(document.resource, document);
  return known;
});

export const documentOf = ({ documents }: Loaded, id: DocumentId): LoadedDocument | undefined =>
  byResource(documents).get(resourceOf(id));

export const etagOf = ({ text }: Pick<LoadedDocument, 'text'>): string => `"${hash('sha256', text).slice(0, 32)}"`;
