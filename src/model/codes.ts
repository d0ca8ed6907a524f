// All finding codes: the reference page, SARIF rules and `causeway explain` are made from here.
import type { CodeInfo } from './finding.ts';
import { addressCodes } from './planning-codes/addresses.ts';
import { installationCodes } from './planning-codes/installation.ts';
import { nameCodes } from './planning-codes/names.ts';
import { networkCodes } from './planning-codes/networks.ts';
import { reachabilityCodes } from './planning-codes/reachability.ts';
import { fileCodes } from './reading-codes/files.ts';
import { manifestCodes, waiverCodes } from './reading-codes/manifests.ts';
import { runningCodes } from './running-codes.ts';

/** Of reading and checking manifests one by one. None of these can be waived. */
export const readingCodes = { ...fileCodes, ...manifestCodes, ...waiverCodes } as const satisfies Record<
  string,
  CodeInfo
>;

export type ReadingCode = keyof typeof readingCodes;

/** Of the planning rules: what `causeway validate` says about manifests that are readable but would not work. */
export const planningCodes = {
  ...networkCodes,
  ...addressCodes,
  ...nameCodes,
  ...reachabilityCodes,
  ...installationCodes,
} as const satisfies Record<string, CodeInfo>;

export type PlanningCode = keyof typeof planningCodes;

export const codes = { ...readingCodes, ...planningCodes, ...runningCodes } as const satisfies Record<string, CodeInfo>;

export type Code = keyof typeof codes;
export const infoOf = (code: string): CodeInfo | undefined =>
  Object.hasOwn(codes, code) ? codes[code as Code] : undefined;
/** A document that cannot be read or is not valid leaves nothing to plan with; only planning rules can be waived. */
export const isWaivable = (code: string): boolean => Object.hasOwn(planningCodes, code);
