// What happened, and what happens: events and logs, as lists and as streams.

import { createRoute } from '@hono/zod-openapi';
import type { Authenticator } from '../auth/authenticator.ts';
import { requireRole } from '../auth/rbac.ts';
import { type ApiContext, type ApiRoutes, failures, json, newRoutes, reading } from '../context.ts';
import { createStreams, newestEvent, pumpEvents, pumpLog } from '../event-stream.ts';
import { notFound } from '../problems.ts';
import { eventQuery, events, logQuery, streamQuery } from '../schema/events.ts';
import { logLines } from '../schema/status.ts';

const tag = 'events';
const eventStream = { 'text/event-stream': { schema: { type: 'string' as const } } };

const eventsRoute = reading({
  tag,
  path: '/events',
  summary: 'Events: after one, or the newest; oldest first.',
  answer: events,
  request: { query: eventQuery },
});
const streamRoute = createRoute({
  method: 'get',
  path: '/events/stream',
  tags: [tag],
  summary: 'Events as they happen ("event"), and when anything shown has changed ("change"). Last-Event-ID resumes.',
  ...requireRole('viewer'),
  request: { query: streamQuery },
  responses: { 200: { description: 'Server-sent events.', content: eventStream }, ...failures },
});
const logsRoute = createRoute({
  method: 'get',
  path: '/components/logs',
  tags: [tag],
  summary: 'The log of a component; with follow a stream of its lines ("line").',
  ...requireRole('viewer'),
  request: { query: logQuery },
  responses: {
    200: { description: 'The last lines.', content: { ...json(logLines, '').content, ...eventStream } },
    ...failures,
  },
});

export function eventRoutes({ platform }: ApiContext, authenticator: Authenticator): ApiRoutes {
  const streams = createStreams(authenticator);
  return newRoutes()
    .openapi(eventsRoute, (c) => {
      const { after, limit, q = '' } = c.req.valid('query');
      const words = q.toLowerCase().split(/\s+/).filter(Boolean);
      const found = platform.events({ ...(after === undefined ? {} : { after }), limit });
      const items = found.filter(({ subject, message, kind, level }) => {
        const text = `${kind} ${level} ${subject} ${message}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      return c.json({ items, last: found.at(-1)?.id ?? newestEvent(platform) }, 200);
    })
    .openapi(streamRoute, (c) => {
      const resumed = Number.parseInt(c.req.header('last-event-id') ?? '', 10);
      const after = Number.isSafeInteger(resumed) && resumed >= 0 ? resumed : c.req.valid('query').after;
      return streams.open(c, (sink) => pumpEvents(platform, sink, after)) as never;
    })
    .openapi(logsRoute, async (c) => {
      const { follow, ...wanted } = c.req.valid('query');
      const { scope, name } = wanted;
      if (!platform.view().components.some((known) => known.scope === scope && known.name === name))
        throw notFound(`component ${scope}/${name}`, 'GET /api/v1/components lists them');
      if (follow === 'true') return streams.open(c, (sink) => pumpLog(platform, sink, wanted)) as never;
      return c.json({ lines: await platform.logs(scope, name, wanted.lines) }, 200);
    });
}
