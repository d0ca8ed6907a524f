// One requirement of the catalogue, as data: what it is, what it needs to know, and what proves or produces it.
import type { PlanningCode } from '../../model/planning-codes.ts';
import type { Plan, Requirement } from '../schema/index.ts';
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
  readonly plan?: readonly (keyof Plan)[];
  readonly artefact?: readonly (typeof artefactNames)[number][];
}

export interface RowDetails {
  /** A field of the model (`Platform.spec.domain`), or `live: ` and where a program reads it. Empty: nothing is asked. */
  readonly inputs: readonly string[];
  /** Where it is checked from. @default nowhere: the plan alone decides */
  readonly vantages?: readonly List[];
  /** What is checked. @default what the plan has for this row: records, hosts of the allow-list */
  readonly targets?: readonly List[];
  /** Clusters that it is about. @default none: the platform */
  readonly clusters?: List;
  /** @default always */
  readonly when?: (sources: Sources) => boolean;
  readonly promise?: RowPromise;
}

export interface Row extends RowDetails {
  readonly id: string;
  readonly title: string;
  readonly kinds: Requirement['kinds'];
  readonly severity: Requirement['severity'];
}

const kindNames = { P: 'plan', L: 'live', V: 'provider', D: 'document' } as const;
const severityNames = { B: 'block', W: 'warn', I: 'info' } as const;
type Letter = keyof typeof kindNames;
type Severity = keyof typeof severityNames;
/** As in `P L/B`: kinds, then severity. */
type Class = `${Letter}/${Severity}` | `${Letter} ${Letter}/${Severity}` | `${Letter} ${Letter} ${Letter}/${Severity}`;

export function row(id: string, class_: Class, title: string, details: RowDetails): Row {
  const [letters = '', severity = ''] = class_.split('/');
  return {
    id,
    title,
    kinds: letters.split(' ').map((letter) => kindNames[letter as Letter]),
    severity: severityNames[severity as Severity],
    ...details,
  };
}
