// What happened, newest first, and as it happens.
import { z } from '@hono/zod-openapi';
import { list, search } from './common.ts';

export const event = z
  .object({
    id: z.number().describe('Rises by one; survives restarts.'),
    at: z.number().describe('In milliseconds since 1970.'),
    kind: z.enum(['change', 'component', 'finding', 'cluster', 'access', 'platform']).describe('What it is about.'),
    level: z.enum(['info', 'warn', 'error']).describe('How bad it is.'),
    subject: z.string().describe('Cluster/shop, component/cluster/shop/etcd …'),
    message: z.string().describe('What happened.'),
  })
  .openapi('Event');
export type ApiEvent = z.infer<typeof event>;

export const events = z
  .object({
    items: list(event).describe('Oldest first.'),
    last: z.number().describe('Identity of the newest event; ask after it for what follows.'),
  })
  .openapi('Events');
export type Events = z.infer<typeof events>;

export const eventQuery = z.object({
  ...search,
  after: z.coerce.number().int().min(0).optional().describe('Only events after this one. Absent: the newest ones.'),
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('How many at most.'),
});
export type EventQuery = z.infer<typeof eventQuery>;

export const logQuery = z.object({
  scope: z
    .string()
    .max(80)
    .regex(/^(platform|(cluster|worker)\/[a-z0-9-]+)$/)
    .describe('platform, cluster/NAME or worker/NAME.'),
  name: z
    .string()
    .max(80)
    .regex(/^[a-z0-9.-]+$/)
    .describe('Component, as in etcd.'),
  lines: z.coerce.number().int().min(1).max(5000).default(200).describe('How many of the last lines.'),
  follow: z.enum(['true', 'false']).optional().describe('true: an event stream that goes on with new lines.'),
});

export const streamQuery = z.object({
  after: z.coerce.number().int().min(0).optional().describe('Begin after this event, where there is no Last-Event-ID.'),
});
