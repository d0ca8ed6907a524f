// What is running, for the end of a start and for `causeway status`.

import type { Finding } from '../../model/index.ts';
import { formatFindings } from '../../model/report/index.ts';
import type { ClusterStatus, ProgramProgress } from '../../platform/index.ts';
import { type Condition, isTrue } from '../../reconcile/index.ts';
import type { ObservedComponent } from '../../runtime/platform-runtime.ts';
import type { ControlClient } from '../control/control-client.ts';
import { startedAs } from '../started-as.ts';
import { table } from '../views/table.ts';

/** As the API tells it. */
export interface Status {
  readonly directory: string;
  readonly phase: 'starting' | 'running' | 'stopping';
  readonly startedAt: number;
  readonly conditions: readonly Condition[];
  readonly broken: boolean;
  readonly clusters: readonly ClusterStatus[];
  readonly components: readonly ObservedComponent[];
  readonly programs: readonly ProgramProgress[];
}

const clusterTable = (clusters: readonly ClusterStatus[]): string =>
  table(
    ['CLUSTER', 'STRATEGY', 'ENDPOINT', 'NODES', 'READY'],
    clusters.map((cluster) => [
      cluster.name,
      cluster.strategy,
      cluster.endpoint ?? 'pending',
      cluster.nodes === undefined ? '-' : `${cluster.nodes.ready}/${cluster.nodes.total}`,
      readyText(cluster),
    ]),
  );

function readyText({ phase, reason = 'it is being started', fix, steps = [] }: ClusterStatus): string {
  if (phase === 'ready') return 'yes';
  if (phase === 'failing') return `no: ${reason}${fix === undefined ? '' : `; ${fix}`}`;
  const done = steps.filter(({ state }) => state === 'done').length;
  return `starting${steps.length === 0 ? '' : ` (${done} of ${steps.length} steps)`}: ${reason}`;
}

export const clustersText = (clusters: readonly ClusterStatus[]): string =>
  clusters.length === 0 ? 'It has no clusters.\n' : clusterTable(clusters);

/** The same keys whatever the state. */
export const clustersForScripts = (clusters: readonly ClusterStatus[]): readonly object[] =>
  clusters.map(({ name, ready, reason = null, endpoint = null, ...more }) => ({
    ...{ name, ready, reason, endpoint },
    ...more,
  }));

/** @param errors Of its manifests, as it tells them itself: some of them no other program knows. */
export function statusText(status: Status, errors: ManifestErrors = noErrors): string {
  // A platform that was started by an earlier version has no conditions.
  const { directory, phase, conditions = [], broken, clusters, programs, components } = status;
  // What is being applied is seen below; that it cannot be is told.
  const refused = conditions.filter(
    (condition) => condition.type === 'Reconciled' && !isTrue(condition) && condition.reason !== 'Reconciling',
  );
  // Those that wait for their program are told by what is said about the program.
  const sick = components.filter(({ healthy, phase }) => !healthy && phase !== 'getting');
  return [
    `The platform on ${directory} is ${phase}.\n`,
    ...(broken ? [`Its manifests have errors: what runs is an earlier state.\n${errorsText(errors)}`] : []),
    ...refused.map(
      ({ message, fix }) => `Its manifests cannot be applied: ${message}${fix === undefined ? '' : `; ${fix}`}.\n`,
    ),
    ...programs.map(({ name, doing, seconds }) => `Getting ${name}: ${doing}, ${seconds} s.\n`),
    ...(clusters.length === 0 ? [] : ['\n']),
    clustersText(clusters),
    ...(sick.length === 0 ? [] : ['\n', componentTable(sick)]),
  ].join('');
}

const componentTable = (components: readonly ObservedComponent[]): string =>
  table(
    ['COMPONENT', 'OF', 'PHASE', 'WHY', 'NEXT'],
    components.map(({ name, scope, phase, why, next }) => [name, scope, phase, why ?? '', next ?? '']),
  );

/** More would push what follows off the screen. */
const mostShown = 20;

/** The end of a start: what there is, where to look at it, what to try. */
export function startedText({ clusters, directory }: Status, page: string, typed = typedAs(process.env)): string {
  const { causeway } = typed;
  const first = clusters[0]?.name ?? 'CLUSTER';
  const where = directory === '.' || directory === 'platform' ? '' : ` --dir ${directory}`;
  return [
    '\n',
    clusters.length === 0
      ? 'It has no clusters yet: create one on the page, or write a manifest.\n'
      : clusterTable(clusters.slice(0, mostShown)),
    ...(clusters.length > mostShown
      ? [`and ${clusters.length - mostShown} more, which ${causeway} status lists\n`]
      : []),
    `\nThe page${page.includes('?token=') ? ' (this address lets one browser in)' : ''}: ${page}\n`,
    '\nTry next:\n',
    `  ${causeway} kubectl${where} ${first} get nodes\n`,
    `  ${causeway} kubeconfig ${first}${where} > ${first}.kubeconfig\n`,
    `  ${causeway} status${where === '' ? '' : ` ${directory}`}\n\n`,
  ].join('');
}

/** Of manifests that cannot be applied; where other files lie among them, there may be thousands of findings. */
export function brokenText(findings: readonly Finding[], directory: string): string {
  const more = findings.length - mostShown;
  return [
    formatFindings(findings.slice(0, mostShown), { format: 'text', color: false }),
    ...(more > 0 ? [`and ${more} more, which "causeway validate ${directory}" lists\n`] : []),
    'nothing is started until this is mended\n',
  ].join('');
}

export interface Typed {
  readonly causeway: string;
}

/** What works when it is copied: the launcher as it was called. */
export const typedAs = (env: NodeJS.ProcessEnv): Typed => ({ causeway: startedAs(env) });

export interface ManifestErrors {
  readonly items: readonly Finding[];
  readonly total: number;
}
const noErrors: ManifestErrors = { items: [], total: 0 };

/** Nothing where its manifests have none. */
export async function manifestErrors(control: ControlClient, { broken }: Status): Promise<ManifestErrors> {
  if (!broken) return noErrors;
  return JSON.parse(await control.ask('GET', `/api/v1/findings?severity=error&limit=${mostShown}`)) as ManifestErrors;
}

function errorsText({ items, total }: ManifestErrors): string {
  if (items.length === 0) return '';
  const more = total > items.length ? `and ${total - items.length} more, which the page lists\n` : '';
  return `\n${formatFindings(items, { format: 'text', color: false })}${more}`;
}

/** The address of the page; on loopback with a token that lets one browser in, so each call gives another one. */
export async function pageLink(control: ControlClient): Promise<string> {
  return (JSON.parse(await control.ask('POST', '/control/link')) as { url: string }).url;
}
