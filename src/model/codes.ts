// All finding codes: the reference page, SARIF rules and `causeway explain` are made from here.
import type { CodeInfo } from './code-info.ts';
import { planningCodes } from './planning-codes.ts';
import { readingCodes } from './reading-codes.ts';
import { runningCodes } from './running-codes.ts';

export const codes = { ...readingCodes, ...planningCodes, ...runningCodes } as const satisfies Record<string, CodeInfo>;

export type Code = keyof typeof codes;
export const infoOf = (code: string): CodeInfo | undefined =>
  Object.hasOwn(codes, code) ? codes[code as Code] : undefined;
/** A document that cannot be read or is not valid leaves nothing to plan with; only planning rules can be waived. */
export const isWaivable = (code: string): boolean => Object.hasOwn(planningCodes, code);
