// What a planning rule is: a small pure function that looks at one thing and says what a person should change.
import { type Finding, type PlanningCode, planningCodes } from '../../model/index.ts';
import type { Datacenter, Model, Platform, Resource, Seed } from '../../model/schema/index.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import type { Plan } from '../schema/index.ts';
import type { SettingRecord } from '../settings/origin.ts';
import type { ReachableRanges } from './reachable-ranges.ts';
import type { ReviewedSettings } from './values.ts';

/** The parts of the plan that rules look at; the rest is right by construction. */
export type ReviewedPlan = Pick<Plan, 'addresses' | 'dns' | 'certificates' | 'installation'>;

/** Looks at the platform as a whole. */
export type PlanRule = (ctx: PlanContext, plan: ReviewedPlan) => readonly Finding[];

/** Looks at one cluster. It is asked again only when something about that cluster changed. */
export type ClusterRule = (c: ClusterContext) => readonly Finding[];

/** Settings where they hold: on the platform, in a seed, for the workers of a datacenter or of a cluster. */
export interface Scope {
  readonly platform: Platform;
  readonly effective: ReviewedSettings;
  readonly settings: SettingRecord;
  readonly seed?: Seed;
  readonly datacenter?: Datacenter;
}
export interface WorkerScope extends Scope {
  readonly seed: Seed;
  readonly datacenter: Datacenter;
}
/** Looks at settings. Ten thousand clusters that share them are looked at once, so it must not name a cluster. */
export type ScopeRule = (scope: Scope) => readonly Finding[];
export type WorkerRule = (scope: WorkerScope, reachable: ReachableRanges) => readonly Finding[];

export const nameOf = (document: Resource): string => `${document.kind}/${document.metadata.name}`;

export const finding = (code: PlanningCode, what: Omit<Finding, 'code' | 'severity'>): Finding => ({
  code,
  severity: planningCodes[code].severity,
  ...what,
});

export const none: readonly Finding[] = [];

/** A decision on a catalogue row says that somebody looked at it and answers for it. */
export const isDecided = ({ platform }: Pick<Model, 'platform'>, row: string): boolean =>
  platform.spec.decisions?.some((decision) => decision.row === row) ?? false;
