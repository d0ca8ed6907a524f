// What every group of the API shares: errors, findings, pages.
import { z } from '@hono/zod-openapi';
import { durationMs } from '../../core/duration.ts';
import { type Lifetime, lifetimes, mostMs } from '../../core/lifetimes.ts';

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const texts = list(z.string());

export const finding = z
  .object({
    code: z.string().describe('Stable code; causeway explain CODE says more.'),
    severity: z.enum(['error', 'warning']).describe('Errors keep manifests from being applied.'),
    resource: z.string().optional().describe('Document it is about, as in Cluster/web.'),
    path: list(z.union([z.string(), z.number()]))
      .optional()
      .describe('Field in the document, step by step.'),
    field: z.string().optional().describe('The same as text, as in spec.network.pods[0].'),
    message: z.string().describe('What is wrong.'),
    fix: z.string().describe('What would be right.'),
    position: z
      .object({
        file: z.string().describe('File, seen from the directory of the manifests.'),
        line: z.number().describe('Line, from 1.'),
        column: z.number().describe('Column, from 1.'),
      })
      .optional()
      .describe('Where it is written.'),
    related: z.string().optional().describe('Other document involved.'),
    waived: z
      .object({
        owner: z.string().describe('Who accepted it.'),
        reason: z.string().describe('Why.'),
        expires: z.string().describe('Until which day.'),
      })
      .optional()
      .describe('Somebody accepted it for a while.'),
  })
  .openapi('Finding');
export type ApiFinding = z.infer<typeof finding>;

export const problem = z
  .object({
    error: z.object({
      code: z.string().describe('Stable code.'),
      message: z.string().describe('What happened.'),
      fix: z.string().describe('What to do about it.'),
      findings: list(finding).optional().describe('What is wrong with the manifests, where that is the reason.'),
    }),
  })
  .openapi('Problem');
export type Problem = z.infer<typeof problem>;

export const search = {
  q: z.string().max(200).optional().describe('Only what has all these words somewhere.'),
};
export const paging = {
  limit: z.coerce.number().int().min(1).max(1000).default(50).describe('How many at most.'),
  continue: z
    .string()
    .regex(/^\d{1,9}\.[A-Za-z0-9_-]{12}$/)
    .optional()
    .describe('Where the page before ended: its continue.'),
};
export const pageQuery = z.object({ ...search, ...paging });
export type PageQuery = z.infer<typeof pageQuery>;

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: list(item),
    continue: z.string().optional().describe('Given to ask for the next page; absent on the last.'),
    total: z.number().describe('How many there are on all pages.'),
  });
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly continue?: string;
  readonly total: number;
}

export const clusterName = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
  .describe('Cluster.');

const duration = z
  .string()
  .max(20)
  .regex(/^(?:[1-9]\d{0,5}(?:s|m|h))+$/, 'a duration is a number and a unit (s, m or h), as in 30s, 8h or 1h30m');

/** For how long a credential is good. */
export const lifetime = (kind: Lifetime) => {
  const { usual, most } = lifetimes[kind];
  return duration
    .refine((text) => (durationMs(text) ?? 0) <= mostMs(kind), `the longest is ${most}`)
    .default(usual)
    .describe(`For how long it is good, as in 1h; at most ${most}.`);
};
