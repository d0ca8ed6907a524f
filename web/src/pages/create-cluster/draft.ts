// What is typed into the form, as the document it becomes; and findings about that document, at the field they belong to.
import type { ApiFinding, DryRun, ResourceBody } from '../../api/types.ts';
import { sentence } from '../../components/format.ts';
import type { Strategy } from '../../components/strategies.ts';

export interface Draft {
  readonly name: string;
  readonly datacenter: string;
  readonly version: string;
  /** Empty: what datacenter, seed or platform say. */
  readonly strategy: Strategy | '';
  readonly nodes: number | '';
  readonly pods: string;
  readonly services: string;
  readonly agentIP: string;
  readonly allowedSourceRanges: string;
}

export const emptyDraft: Draft = {
  name: '',
  datacenter: '',
  version: '',
  strategy: '',
  nodes: '',
  pods: '',
  services: '',
  agentIP: '',
  allowedSourceRanges: '',
};

/** Enough to ask the platform what it thinks of it. */
export const isComplete = ({ name, datacenter, version }: Draft): boolean =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name) && datacenter !== '' && version !== '';

const emptyResource: ResourceBody = {
  apiVersion: 'causeway.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: '' },
  spec: {},
};

type Fields = Readonly<Record<string, unknown>>;

/** What the form does not know stays as it is in the document that is changed. */
export function resourceOf(draft: Draft, base: ResourceBody = emptyResource): ResourceBody {
  const { network, limits, nodes, exposeStrategy: _, ...rest } = base.spec as Record<string, Fields>;
  const { pods: _pods, services: _services, agentIP: _agentIP, ...otherNetwork } = network ?? {};
  const { allowedSourceRanges: _ranges, ...otherLimits } = limits ?? {};
  const { count: _count, ...otherNodes } = nodes ?? {};
  return {
    ...base,
    metadata: { ...base.metadata, name: draft.name },
    spec: {
      ...rest,
      datacenter: draft.datacenter,
      kubernetesVersion: draft.version.trim(),
      ...given('exposeStrategy', draft.strategy),
      ...unlessEmpty('nodes', { ...otherNodes, ...(draft.nodes === '' ? {} : { count: draft.nodes }) }),
      ...unlessEmpty('network', {
        ...otherNetwork,
        ...listed('pods', draft.pods),
        ...listed('services', draft.services),
        ...given('agentIP', draft.agentIP.trim()),
      }),
      ...unlessEmpty('limits', { ...otherLimits, ...listed('allowedSourceRanges', draft.allowedSourceRanges) }),
    },
  };
}

const unlessEmpty = (key: string, value: Fields): Record<string, Fields> =>
  Object.keys(value).length === 0 ? {} : { [key]: value };

/** A document as the form shows it. */
export function draftOf({ metadata, spec }: ResourceBody): Draft {
  const { datacenter, kubernetesVersion, exposeStrategy, nodes, network, limits } = spec as ClusterFields;
  const list = (items: readonly string[] = []): string => items.join(', ');
  return {
    name: metadata.name,
    datacenter: datacenter ?? '',
    version: kubernetesVersion ?? '',
    strategy: exposeStrategy ?? '',
    nodes: nodes?.count ?? '',
    pods: list(network?.pods),
    services: list(network?.services),
    agentIP: network?.agentIP ?? '',
    allowedSourceRanges: list(limits?.allowedSourceRanges),
  };
}

/** Of a manifest that may be half written: each of them can be missing. */
interface ClusterFields {
  readonly datacenter?: string;
  readonly kubernetesVersion?: string;
  readonly exposeStrategy?: Strategy;
  readonly nodes?: { readonly count?: number };
  readonly network?: { readonly pods?: string[]; readonly services?: string[]; readonly agentIP?: string };
  readonly limits?: { readonly allowedSourceRanges?: string[] };
}

export const fieldWords: Readonly<Record<keyof Draft, string>> = {
  name: 'Name',
  datacenter: 'Datacenter',
  version: 'Kubernetes version',
  strategy: 'How it is reached',
  nodes: 'Workers',
  pods: 'Pod networks',
  services: 'Service networks',
  agentIP: 'Address of the node agent',
  allowedSourceRanges: 'Who may connect',
};

export interface Change {
  readonly field: keyof Draft;
  readonly from: string;
  readonly to: string;
}

export const changesOf = (before: Draft, now: Draft): Change[] =>
  (Object.keys(fieldWords) as (keyof Draft)[])
    .map((field) => ({ field, from: String(before[field]), to: String(now[field]) }))
    .filter(({ from, to }) => from !== to);

const given = (key: string, value: string): Record<string, string> => (value === '' ? {} : { [key]: value });

/** Networks are typed with commas or spaces between them. */
function listed(key: string, text: string): Record<string, readonly string[]> {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  return items.length === 0 ? {} : { [key]: items };
}

const fieldOfPath: Readonly<Record<string, keyof Draft>> = {
  'metadata.name': 'name',
  'spec.datacenter': 'datacenter',
  'spec.kubernetesVersion': 'version',
  'spec.exposeStrategy': 'strategy',
  'spec.nodes': 'nodes',
  'spec.network.pods': 'pods',
  'spec.network.services': 'services',
  'spec.network.agentIP': 'agentIP',
  'spec.limits.allowedSourceRanges': 'allowedSourceRanges',
};

export type AtFields = ReadonlyMap<keyof Draft, string>;

interface Sorted {
  /** What keeps a field from being written, in words. */
  readonly wrong: AtFields;
  /** What one should know about a field. */
  readonly advice: AtFields;
  /** About no field of the form. */
  readonly other: readonly ApiFinding[];
}

/** Of those about other documents only what this one would break: the rest was there before, and has a page of its own. */
export function sortFindings({ findings, errors }: Pick<DryRun, 'findings' | 'errors'>, name: string): Sorted {
  const isOwn = ({ resource, related }: ApiFinding): boolean => [resource, related].includes(`Cluster/${name}`);
  const shown = [...findings.filter(isOwn), ...errors.filter((error) => !isOwn(error))];
  const placed = shown.map((finding) => ({ finding, field: fieldOf(finding, name) }));
  const isError = ({ finding: { severity, waived } }: Placed): boolean => severity === 'error' && waived === undefined;
  return {
    wrong: byField(placed.filter(isError)),
    advice: byField(placed.filter((item) => !isError(item))),
    other: placed.filter(({ field }) => field === undefined).map(({ finding }) => finding),
  };
}

interface Placed {
  readonly finding: ApiFinding;
  readonly field: keyof Draft | undefined;
}

function byField(placed: readonly Placed[]): AtFields {
  const known = placed.flatMap(({ finding, field }) => (field === undefined ? [] : [{ finding, field }]));
  return new Map(
    [...Map.groupBy(known, ({ field }) => field)].map(([field, items]) => [
      field,
      items.map(({ finding }) => wordsOf(finding)).join(' '),
    ]),
  );
}

const wordsOf = ({ message, fix }: ApiFinding): string => `${sentence(message)} ${sentence(fix)}`;

/** The nearest field above the place of the finding: nodes.count is shown at nodes. */
function fieldOf({ resource, path = [] }: ApiFinding, name: string): keyof Draft | undefined {
  if (resource !== `Cluster/${name}`) return undefined;
  const names = path.filter((step) => typeof step === 'string');
  const candidates = names.map((_, at) => names.slice(0, names.length - at).join('.'));
  return candidates.map((candidate) => fieldOfPath[candidate]).find((field) => field !== undefined);
}
