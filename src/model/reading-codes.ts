// Codes of reading and checking manifests one by one. None of these can be waived.
import type { CodeInfo } from './code-info.ts';
import { fileCodes } from './reading-codes/files.ts';
import { manifestCodes, waiverCodes } from './reading-codes/manifests.ts';

export const readingCodes = { ...fileCodes, ...manifestCodes, ...waiverCodes } as const satisfies Record<
  string,
  CodeInfo
>;

export type ReadingCode = keyof typeof readingCodes;
