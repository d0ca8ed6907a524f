// A case breaks one thing of a sound platform, or goes as near to breaking it as is allowed.

import { type Finding, fieldOf, type PlanningCode } from '../../../model/index.ts';
import { buildContext } from '../../build-context.ts';
import { planCertificates } from '../../certificates/index.ts';
import { planDns } from '../../dns/index.ts';
import { planInstallation } from '../../installation/index.ts';
import { type Change, soundModel } from '../../testing/sound-model.ts';
import { reviewPlan } from '../index.ts';

export interface FiringCase {
  /** What the rule sees, as the rest of a sentence. */
  readonly when: string;
  readonly change: Change;
  /** Resource and field, as `Seed/west spec.gateway`. */
  readonly at: string;
  readonly says: RegExp;
  readonly fix?: RegExp;
}
export interface QuietCase {
  readonly when: string;
  readonly change: Change;
}
export interface Cases {
  readonly fires: readonly [FiringCase, ...FiringCase[]];
  readonly quiet: readonly [QuietCase, ...QuietCase[]];
}
export type CaseTable = Readonly<Partial<Record<PlanningCode, Cases>>>;

export function review(change?: Change): Finding[] {
  const { model, allocations } = soundModel(change);
  const ctx = buildContext(model, allocations);
  return reviewPlan(ctx, {
    addresses: ctx.addresses,
    dns: planDns(ctx),
    certificates: planCertificates(ctx),
    installation: planInstallation(ctx),
  });
}

export const placeOf = ({ resource, path }: Finding): string => `${resource} ${fieldOf(path ?? [])}`;
