// A change of one document, as a change of the file that holds it. Pure.
import type { LoadedDocument, ManifestFile } from '../../model/load/index.ts';
import { splitDocuments, withUnixBreaks } from '../../model/load/split-documents.ts';
import type { Kind } from '../../model/schema/index.ts';
import { mergeYaml, newYaml } from './merge-yaml.ts';

export interface DocumentId {
  readonly kind: Kind;
  readonly name: string;
}
export const resourceOf = ({ kind, name }: DocumentId): string => `${kind}/${name}`;

export interface FileChange {
  /** Below the directory of the manifests. */
  readonly path: string;
  /** Undefined: the file goes. */
  readonly text: string | undefined;
}

const directories: Readonly<Record<Kind, string>> = {
  Platform: '',
  Seed: 'seeds/',
  Datacenter: 'datacenters/',
  Cluster: 'clusters/',
  AddressPool: 'pools/',
};

export function applied(
  files: readonly ManifestFile[],
  id: DocumentId,
  value: unknown,
  document: LoadedDocument | undefined,
): FileChange {
  if (document === undefined) return added(files, id, value);
  return changedChunk(fileOf(files, document), document, (text) => mergeYaml(text, value));
}

/** A file of its own, which editors know the schema of where they know that of its neighbours. */
function added(files: readonly ManifestFile[], { kind, name }: DocumentId, value: unknown): FileChange {
  const directory = directories[kind];
  const path = kind === 'Platform' ? 'platform.yaml' : `${directory}${name}.yaml`;
  const there = files.find((file) => file.path === path);
  if (there !== undefined) return { path, text: `${withEnd(there.text)}---\n${newYaml(value)}` };
  const neighbour = files.find(
    (file) => file.path.startsWith(directory) && !file.path.slice(directory.length).includes('/'),
  );
  return { path, text: `${modelines(neighbour?.text ?? '')}${newYaml(value)}` };
}

export function removed(files: readonly ManifestFile[], document: LoadedDocument): FileChange {
  const change = changedChunk(fileOf(files, document), document, modelines);
  const isEmpty = /^(?:\s|#.*|---|\.\.\.)*$/.test(change.text ?? '');
  return isEmpty ? { path: change.path, text: undefined } : change;
}

/** What tells editors about the file stays when its first document goes. */
const modelines = (text: string): string => /^(?:# yaml-language-server:.*\n)*/.exec(withUnixBreaks(text))?.[0] ?? '';

const fileOf = (files: readonly ManifestFile[], { file }: LoadedDocument): ManifestFile =>
  files.find(({ path }) => path === file) as ManifestFile;

function changedChunk(
  { path, text }: ManifestFile,
  { linesBefore }: LoadedDocument,
  change: (chunk: string) => string,
): FileChange {
  const chunks = splitDocuments(text).map((chunk) =>
    chunk.linesBefore === linesBefore ? change(chunk.text) : chunk.text,
  );
  const joined = chunks
    .map((chunk, at) => (at === chunks.length - 1 || chunk === '' ? chunk : withEnd(chunk)))
    .join('');
  return { path, text: text.includes('\r\n') ? joined.replaceAll('\n', '\r\n') : joined };
}

const withEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
