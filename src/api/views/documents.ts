// Documents of one kind as a list that keeps its identity for as long as the manifests are the same.
import { memo } from '../../core/memo.ts';
import { byName } from '../../core/names.ts';
import { type Finding, fieldOf } from '../../model/index.ts';
import type { Loaded, LoadedDocument } from '../../model/load/index.ts';
import type { Kind } from '../../model/schema/index.ts';
import type { ApiFinding } from '../schema/common.ts';
import type { Listed } from './paging.ts';

/** Those that can be read at all; what is wrong with the others is among the findings. */
const byKind = memo((loaded: Loaded): ReadonlyMap<Kind | undefined, readonly LoadedDocument[]> => {
  const readable = loaded.documents.filter(({ value, name }) => value !== undefined && name !== undefined);
  return Map.groupBy(
    readable.sort((a, b) => byName(keyOf(a), keyOf(b))),
    ({ kind }) => kind,
  );
});

const keyOf = ({ name, file }: LoadedDocument): string => `${name} ${file}`;
const none: readonly LoadedDocument[] = [];

export const listedDocuments = (loaded: Loaded, kind: Kind): Listed<LoadedDocument> => ({
  items: byKind(loaded).get(kind) ?? none,
  keyOf,
  textOf: ({ name, file, text }) => `${name} ${file} ${text}`,
});

// Findings for the page, and how many each document has.

export const shownFinding = (finding: Finding): ApiFinding => ({
  ...finding,
  ...(finding.path === undefined ? {} : { field: fieldOf(finding.path) }),
});

const byResource = memo((findings: readonly Finding[]) => Map.groupBy(findings, ({ resource }) => resource ?? ''));

/** Those about a document, as in Cluster/web. */
export const findingsAbout = (findings: readonly Finding[], resource: string): readonly Finding[] =>
  byResource(findings).get(resource) ?? [];
