// causeway.lock.yaml: what was given out once. Read strictly, written so that the same content gives the same bytes.
import { dump } from 'js-yaml';
import { type Allocations, lockSchema, noAllocations } from '../allocations.ts';
import type { Finding } from '../finding.ts';
import { apiVersion } from '../schema/index.ts';
import { findingOf, positionAt, positionOf } from './document.ts';
import { explainIssues } from './explain-issues.ts';
import { parseYaml } from './parse-yaml.ts';
import { withUnixBreaks } from './split-documents.ts';

const fromGit = 'Take the file back from version control; addresses that were given out would move otherwise.';
const maxFindings = 20;

export interface ReadLock {
  readonly allocations: Allocations;
  readonly findings: readonly Finding[];
}

export function readLock(file: { readonly path: string; readonly text: string } | undefined): ReadLock {
  if (file === undefined) return { allocations: noAllocations, findings: [] };
  const place = { file: file.path, text: withUnixBreaks(file.text), linesBefore: 0 };
  const parsed = parseYaml(place.text);
  if (parsed.problem !== undefined) {
    return refused([invalid(parsed.problem.message, { position: positionAt(place, parsed.problem.offset) })]);
  }
  const result = lockSchema.safeParse(parsed.value);
  if (result.success)
    return { allocations: { pools: result.data.pools, nodePorts: result.data.nodePorts }, findings: [] };
  if (parsed.value === undefined)
    return refused([invalid('the lock file is empty', { position: positionAt(place, 0) })]);
  const { told } = explainIssues(result.error.issues, parsed.value, lockSchema, { limit: maxFindings });
  return refused(told.map(({ path, message }) => invalid(message.trim(), { path, position: positionOf(place, path) })));
}

const refused = (findings: readonly Finding[]): ReadLock => ({ allocations: noAllocations, findings });
const invalid = (message: string, rest: Pick<Finding, 'path' | 'position'>): Finding =>
  findingOf('CW-LOCK-INVALID', { message, fix: fromGit, ...rest });

/** Two locks cannot both be right, and the one that is not read would be a silent loss. */
export const misplacedLock = ({ path }: { readonly path: string }): Finding =>
  findingOf('CW-LOCK-INVALID', {
    message: `${path} is not read: the lock lies beside the manifests, in the directory that is named`,
    fix: 'Remove it, or list its directory in .causewayignore.',
    position: { file: path, line: 1, column: 1 },
  });

const header = `# Addresses and node ports that were given out, kept so that they never move. Written by Causeway;
# commit it with the manifests. What is removed here is given out anew.
`;

export const formatLock = ({ pools, nodePorts }: Allocations): string =>
  header +
  dump(
    { apiVersion, kind: 'Lock', pools: sorted(pools), nodePorts: sorted(nodePorts) },
    { noRefs: true, lineWidth: -1 },
  );

/** Keys in code-point order at every level; lists keep theirs, it is the order of families. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
}
