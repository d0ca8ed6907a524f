// Parts of the way between users or workers and a control plane: what each needs, and whether it works.
import { z } from '@hono/zod-openapi';
import { list } from './common.ts';
import { flowRow } from './network.ts';
import { traffic } from './status.ts';

export const hop = z
  .object({
    id: z.string().describe('Stable: gateway/SEED, api/shop, agent/shop …'),
    from: z.string().describe('Node of the topology that it begins at.'),
    to: z.string().describe('Node that it ends at.'),
    title: z.string().describe('What it is.'),
    healthy: z.boolean().optional().describe('Whether it works now; absent while nobody knows.'),
    starting: z
      .literal(true)
      .optional()
      .describe('It has not worked yet, and its cluster is starting; healthy is absent then.'),
    seenFrom: z.string().optional().describe('Where that was seen from, in words; absent while nobody knows.'),
    why: z.string().optional().describe('Why it does not.'),
    fix: z.string().optional().describe('What would mend it.'),
    address: z.string().optional().describe('host:port that is dialled; absent where there are several.'),
    ports: list(z.union([z.number(), z.string()])).describe('Ports that it needs, all TCP; ranges as first-last.'),
    flows: list(flowRow).describe(
      'What firewalls must allow for it, and who opens that: perhaps for more ports than it needs itself.',
    ),
    lastWorked: z.number().optional().describe('In milliseconds since 1970; absent: never, as far as is known.'),
    traffic: traffic.optional(),
  })
  .openapi('Hop');
export type HopRow = z.infer<typeof hop>;
