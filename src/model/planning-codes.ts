// Codes of the planning rules: what `causeway validate` says about manifests that are readable but would not work.
import type { CodeInfo } from './code-info.ts';
import { addressCodes } from './planning-codes/addresses.ts';
import { installationCodes } from './planning-codes/installation.ts';
import { nameCodes } from './planning-codes/names.ts';
import { networkCodes } from './planning-codes/networks.ts';
import { reachabilityCodes } from './planning-codes/reachability.ts';

export const planningCodes = {
  ...networkCodes,
  ...addressCodes,
  ...nameCodes,
  ...reachabilityCodes,
  ...installationCodes,
} as const satisfies Record<string, CodeInfo>;

export type PlanningCode = keyof typeof planningCodes;
