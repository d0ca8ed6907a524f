// Findings for the page, and how many each document has.
import { memo } from '../../core/memo.ts';
import { type Finding, fieldOf } from '../../model/finding.ts';
import type { ApiFinding } from '../schema/common.ts';

export const shownFinding = (finding: Finding): ApiFinding => ({
  ...finding,
  ...(finding.path === undefined ? {} : { field: fieldOf(finding.path) }),
});

const byResource = memo((findings: readonly Finding[]) => Map.groupBy(findings, ({ resource }) => resource ?? ''));

/** Those about a document, as in Cluster/web. */
export const findingsAbout = (findings: readonly Finding[], resource: string): readonly Finding[] =>
  byResource(findings).get(resource) ?? [];
