// Files in, model and findings out. Pure: reading the files is done by read-tree.ts.
import { byName } from '../../core/names.ts';
import { type Allocations, lockFile } from '../allocations.ts';
import type { Finding, Path, Position } from '../finding.ts';
import type { AddressPool, Cluster, Datacenter, Kind, Model, Platform, Resource, Seed } from '../schema/index.ts';
import { checkReferences } from './check-references.ts';
import { checkDuplicates, checkPlatform, checkSeedNames } from './check-set.ts';
import { findingOf, type LoadedDocument, positionOf } from './document.ts';
import { misplacedLock, readLock } from './lock.ts';
import type { Part } from './positions.ts';
import { readDocument } from './read-document.ts';
import { byPlace } from './sort-findings.ts';
import { splitDocuments } from './split-documents.ts';

export interface ManifestFile {
  /** As shown to people: relative to the directory that was named. */
  readonly path: string;
  readonly text: string;
}

export type Locate = (resource: string, path: Path, part?: Part) => Position | undefined;

export interface Loaded {
  /** All valid documents; undefined without exactly one valid Platform. With errors among the findings it is a part. */
  readonly model: Model | undefined;
  readonly documents: readonly LoadedDocument[];
  readonly allocations: Allocations;
  /** Sorted by place. */
  readonly findings: readonly Finding[];
  /** Place of a field, or of the nearest one above it that is written down. */
  readonly locate: Locate;
}

export interface LoadOptions {
  readonly lock?: ManifestFile;
  /** Findings of reading the files; where there are any, documents may be missing. */
  readonly findings?: readonly Finding[];
  /** What was read before, by path: unchanged files are not read again and their documents keep their identity. */
  readonly cache?: FileCache;
}
export type FileCache = Map<string, { readonly text: string; readonly read: ReadFile }>;

interface ReadFile {
  readonly documents: readonly LoadedDocument[];
  readonly findings: readonly Finding[];
}

export function loadFiles(files: readonly ManifestFile[], options: LoadOptions = {}): Loaded {
  const before = options.findings ?? [];
  const locks = files.filter(isLock);
  const manifests = locks.length === 0 ? files : files.filter((file) => !isLock(file));
  const lockAtTop = options.lock ?? locks.find(({ path }) => path === lockFile);
  const read = manifests.map((file) => readCached(file, options.cache));
  const documents = read.flatMap((file) => file.documents);
  const lock = readLock(lockAtTop);
  const findings = [
    ...before,
    ...read.flatMap((file) => file.findings),
    ...checkTogether(documents, before),
    ...lock.findings,
    ...locks.filter((file) => file !== lockAtTop).map(misplacedLock),
  ].sort(byPlace);
  return { model: assemble(documents), documents, allocations: lock.allocations, findings, locate: locator(documents) };
}

const isLock = ({ path }: ManifestFile): boolean => path === lockFile || path.endsWith(`/${lockFile}`);

function checkTogether(documents: readonly LoadedDocument[], before: readonly Finding[]): Finding[] {
  const complete = before.length === 0 && documents.every(isKnown);
  return [
    ...(documents.length === 0 && before.length === 0 ? [noDocument] : []),
    ...checkDuplicates(documents),
    ...checkPlatform(documents, complete),
    ...checkSeedNames(documents),
    ...(complete ? checkReferences(documents) : []),
  ];
}

/** A broken document whose kind and name cannot be guessed could be the one that another refers to. */
const isKnown = ({ value, resource }: LoadedDocument): boolean => value !== undefined || resource !== undefined;

function readCached(file: ManifestFile, cache: FileCache | undefined): ReadFile {
  const known = cache?.get(file.path);
  if (known?.text === file.text) return known.read;
  const read = readFile(file);
  cache?.set(file.path, { text: file.text, read });
  return read;
}

function readFile({ path, text }: ManifestFile): ReadFile {
  const documents: LoadedDocument[] = [];
  const findings: Finding[] = [];
  for (const chunk of splitDocuments(text)) {
    const read = readDocument(path, chunk);
    if (read.document !== undefined) documents.push(read.document);
    findings.push(...read.findings);
  }
  return { documents, findings };
}

const noDocument = findingOf('CW-EMPTY', {
  message: 'there is no document to read',
  fix: 'Write manifests with "causeway init", or name the directory that holds them.',
});

/** Of two documents with one name the first counts; the second is a finding. */
function assemble(documents: readonly LoadedDocument[]): Model | undefined {
  const byResource = new Map<string, Resource>();
  for (const { resource, valid } of documents) {
    if (resource !== undefined && valid !== undefined && !byResource.has(resource)) byResource.set(resource, valid);
  }
  const all = [...byResource.values()];
  const of = <Type extends Resource>(kind: Kind): Type[] =>
    all.filter((resource): resource is Type => resource.kind === kind).sort(byMetadataName);
  const [platform, ...others] = of<Platform>('Platform');
  if (platform === undefined || others.length > 0) return undefined;
  return {
    platform,
    seeds: of<Seed>('Seed'),
    datacenters: of<Datacenter>('Datacenter'),
    clusters: of<Cluster>('Cluster'),
    pools: of<AddressPool>('AddressPool'),
  };
}

const byMetadataName = (a: Resource, b: Resource): number => byName(a.metadata.name, b.metadata.name);

function locator(documents: readonly LoadedDocument[]): Locate {
  let byResource: Map<string, LoadedDocument> | undefined;
  return (resource, path, part) => {
    byResource ??= new Map(
      [...documents]
        .reverse()
        .flatMap((document) => (document.resource === undefined ? [] : [[document.resource, document]])),
    );
    const document = byResource.get(resource);
    return document === undefined ? undefined : positionOf(document, path, part);
  };
}
