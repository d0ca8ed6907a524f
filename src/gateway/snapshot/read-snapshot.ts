// From a text that anybody may have written to a snapshot that can be trusted, or to what is wrong with it. A snapshot
// is taken as a whole or not at all.

import { entryOf } from '../../core/collections.ts';
import { CausewayError } from '../../core/errors.ts';
import { sameJson } from '../../core/same-json.ts';
import { checkClaims } from './claims.ts';
import { clusterNameProblem, clusterShape, snapshotShape } from './schema.ts';
import type { Snapshot, SnapshotCluster } from './snapshot.ts';
import { isObject, Problems } from './validator.ts';

export type SnapshotReading =
  | { readonly snapshot: Snapshot; readonly problems?: undefined }
  | { readonly problems: readonly string[]; readonly snapshot?: undefined };

const mostCharacters = 64 * 1024 * 1024;

/** Clusters that are as they were `before` are the same objects afterwards, and are not checked again. */
export function readSnapshot(text: string, before?: Snapshot): SnapshotReading {
  if (text.length > mostCharacters) return { problems: ['a snapshot of more than 64 MiB is not read'] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [`this is not JSON: ${(error as Error).message}`] };
  }
  if (before !== undefined) keepUnchanged(value, before);
  return checkSnapshot(value, before);
}

/** The same for a value that is there already. It is not changed, and must not be changed afterwards. */
export function checkSnapshot(value: unknown, before?: Snapshot): SnapshotReading {
  const problems = new Problems();
  snapshotShape(value, '', '', problems);
  if (isObject(value) && isObject(value.clusters)) checkClusters(value.clusters, before?.clusters ?? {}, problems);
  if (!problems.any) checkClaims(value as unknown as Snapshot, problems);
  return problems.any ? { problems: problems.list() } : { snapshot: value as unknown as Snapshot };
}

type Clusters = Readonly<Record<string, unknown>>;

function checkClusters(clusters: Clusters, before: Clusters, problems: Problems): void {
  for (const name in clusters) {
    if (Object.hasOwn(before, name) && before[name] === clusters[name]) continue;
    const problem = clusterNameProblem(name);
    if (problem === undefined) clusterShape(clusters[name], 'clusters', name, problems);
    else problems.add('clusters', problem);
  }
}

/** Only what was just parsed may be changed like this. */
function keepUnchanged(value: unknown, before: Snapshot): void {
  if (!isObject(value) || !isObject(value.clusters)) return;
  const { clusters } = value;
  for (const name in clusters) {
    const known = entryOf(before.clusters, name);
    if (known !== undefined && sameJson(known, clusters[name])) clusters[name] = known;
  }
}

/** What a snapshot may say, but somebody should know. */
export function snapshotWarnings({ tunnel, listeners, clusters }: Snapshot): string[] {
  const warnings: string[] = [];
  const warn = (when: boolean, sentence: string): unknown => when && warnings.push(sentence);
  if (listeners.tunnel === undefined && listeners.single === undefined) return warnings;
  const { authentication, publicKeys = [], clientAuthorities = [], certificate } = tunnel;
  warn(
    authentication === 'none',
    'tunnel.authentication is none: whoever reaches the tunnel reaches every API server behind it; set token or certificate unless stock Envoy agents need it',
  );
  warn(
    authentication === 'token' && publicKeys.length === 0 && !Object.values(clusters).some(hasOwnTokens),
    'tunnel.publicKeys is empty: every agent will be refused; "causeway gateway pki" makes a key',
  );
  warn(
    authentication === 'certificate' && clientAuthorities.length === 0,
    'tunnel.clientAuthorities is empty: every agent will be refused; "causeway gateway pki" makes an authority',
  );
  warn(
    authentication !== 'none' && certificate === undefined,
    'tunnel.certificate is missing: agents cannot connect by TLS; "causeway gateway pki" makes one',
  );
  return warnings;
}

const hasOwnTokens = ({ tokenAuthorities = [] }: SnapshotCluster): boolean => tokenAuthorities.length > 0;

/** With all that is wrong with it, one line each. */
export const refusedSnapshot = (problems: readonly string[]): CausewayError =>
  new CausewayError(
    'CW-GATEWAY-SNAPSHOT',
    `the snapshot is refused:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    'mend what is named; until then the one before stays in force',
  );

/** For a value that this process made itself: throws with all that is wrong with it. */
export function checkedSnapshot(value: unknown, before?: Snapshot): Snapshot {
  const reading = checkSnapshot(value, before);
  if (reading.snapshot !== undefined) return reading.snapshot;
  throw refusedSnapshot(reading.problems);
}
