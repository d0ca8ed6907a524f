// One requirement of the catalogue, as data: what it is, what it needs to know, and what proves or produces it.
import type { PlanningCode } from '../../model/index.ts';
import type { PlanDocument, Requirement } from '../schema/index.ts';
import type { RowGroup } from './groups.ts';
import type { List, Sources } from './sources.ts';

export const artefactNames = [
  'firewall',
  'nftables',
  'zone',
  'dnsendpoint',
  'sans',
  'openssl',
  'cert-manager',
  'allow-list',
  'squid',
  'metallb',
  'cilium',
  'prefix-list',
  'address-plan',
  'checklist',
  'gateway',
] as const;

/** Where a requirement of kind plan is kept: a finding that fires, a part of the plan, or a file for somebody. */
export interface RowPromise {
  readonly finding?: readonly PlanningCode[];
  readonly plan?: readonly (keyof PlanDocument)[];
  readonly artefact?: readonly (typeof artefactNames)[number][];
}

export interface RowDetails {
  /** Fields of the model (`Platform.spec.domain`), and what is only known on site. Empty: nothing is asked. */
  readonly inputs: readonly Input[];
  /** Where it is checked from. @default nowhere: the plan alone decides */
  readonly vantages?: readonly List[];
  /** What is checked. @default what the plan has for this row: records, hosts of the allow-list */
  readonly targets?: readonly List[];
  /** Clusters that it is about. @default none: the platform */
  readonly clusters?: List;
  /** @default always */
  readonly when?: (sources: Sources) => boolean;
  readonly promise?: RowPromise;
  /** It exposes clusters, and is asked for before they exist only because some are planned. */
  readonly exposes?: boolean;
  /** Its targets are names that the certificate of the platform must hold. */
  readonly namesInCertificate?: boolean;
}

/** A field of the model, or what a program reads on site. */
export type Input = string | { readonly live: string };
export const live = (what: string): Input => ({ live: what });

/** A row before it is in a group. */
export interface RowBody extends RowDetails {
  readonly id: string;
  readonly title: string;
  readonly kinds: Requirement['kinds'];
  readonly severity: Requirement['severity'];
}

export interface Row extends RowBody {
  readonly group: RowGroup;
  /** Among the rows of its group, as the catalogue has them. */
  readonly order: number;
}
export const rowsOf = (group: RowGroup, rows: readonly RowBody[]): readonly Row[] =>
  rows.map((body, order) => ({ ...body, group, order }));

const kindNames = { P: 'plan', L: 'live', V: 'provider', D: 'document' } as const;
const severityNames = { B: 'block', W: 'warn', I: 'info' } as const;
type Letter = keyof typeof kindNames;
type Severity = keyof typeof severityNames;
/** As in `P L/B`: kinds, then severity. */
type Class = `${Letter}/${Severity}` | `${Letter} ${Letter}/${Severity}` | `${Letter} ${Letter} ${Letter}/${Severity}`;

export function row(id: string, class_: Class, title: string, details: RowDetails): RowBody {
  const [letters = '', severity = ''] = class_.split('/');
  return {
    id,
    title,
    kinds: letters.split(' ').map((letter) => kindNames[letter as Letter]),
    severity: severityNames[severity as Severity],
    ...details,
  };
}
