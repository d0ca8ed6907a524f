// Every planning code has cases; the type refuses a code without.
import type { PlanningCode } from '../../../model/index.ts';
import { addressSourceCases } from './address-sources.ts';
import { addressCases } from './addresses.ts';
import { balancerCases } from './balancers.ts';
import type { Cases } from './case.ts';
import { hostCases } from './hosts.ts';
import { installationCases } from './installation.ts';
import { nameCases } from './names.ts';
import { networkCases } from './networks.ts';
import { nodeCases } from './nodes.ts';
import { reachabilityCases } from './reachability.ts';
import { siteCases } from './sites.ts';
import { storageCases } from './storage.ts';

export const cases: Readonly<Record<PlanningCode, Cases>> = {
  ...networkCases,
  ...nodeCases,
  ...addressCases,
  ...addressSourceCases,
  ...balancerCases,
  ...nameCases,
  ...hostCases,
  ...reachabilityCases,
  ...installationCases,
  ...siteCases,
  ...storageCases,
};
