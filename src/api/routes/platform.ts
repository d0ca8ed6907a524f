// How the platform does: status, topology, components.

import { createRoute, z } from '@hono/zod-openapi';
import { memo } from '../../core/memo.ts';
import { summarize } from '../../model/report/index.ts';
import { exposition, expositionType } from '../../net/index.ts';
import type { PlatformView } from '../../platform/index.ts';
import { isTrue } from '../../reconcile/index.ts';
import { requireRole, withoutLogin } from '../auth/rbac.ts';
import { type ApiContext, type ApiRoutes, failures, json, newRoutes, reading } from '../context.ts';
import { jsonStream } from '../json-stream.ts';
import { notFound } from '../problems.ts';
import { list } from '../schema/common.ts';
import { component, health, readiness, type Summary, status, summary } from '../schema/status.ts';
import { topology, topologyQuery } from '../schema/topology.ts';
import { statusByName } from '../views/clusters.ts';
import { platformFamilies } from '../views/metrics.ts';
import { topologyOf, topologyOfCluster } from '../views/topology.ts';

const tag = 'platform';

const statusRoute = reading({
  tag,
  path: '/status',
  summary: 'Everything about how the platform does, as causeway status -o json prints it.',
  answer: status,
});
const summaryRoute = reading({
  tag,
  path: '/summary',
  summary: 'The same in a few numbers, however many clusters there are.',
  answer: summary,
});
const topologyRoute = reading({
  tag,
  path: '/topology',
  summary: 'Who talks with whom, and whether that works. Where there are many clusters, each datacenter is one node.',
  answer: topology,
  request: { query: topologyQuery },
});
const componentsRoute = reading({
  tag,
  path: '/components',
  summary: 'The programs that make up the platform.',
  answer: z.object({ items: list(component) }).openapi('Components'),
});

const healthRoute = createRoute({
  method: 'get',
  path: '/healthz',
  tags: [tag],
  summary: 'Whether it answers; needs no login.',
  ...withoutLogin,
  responses: { 200: json(health, 'It does.') },
});

const readinessRoute = createRoute({
  method: 'get',
  path: '/readyz',
  tags: [tag],
  summary: 'Whether all of it is ready, as a number only; needs no login.',
  ...withoutLogin,
  responses: { 200: json(readiness, 'It is.'), 503: json(readiness, 'It is not, and why.') },
});

export const healthRoutes = ({ platform }: ApiContext): ApiRoutes =>
  newRoutes()
    .openapi(healthRoute, (c) => c.json({ phase: platform.view().phase }, 200))
    .openapi(readinessRoute, (c) => {
      const [ready] = platform.view().conditions;
      return c.json({ conditions: ready === undefined ? [] : [ready] }, isTrue(ready) ? 200 : 503);
    });

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  tags: [tag],
  summary: 'Conditions and times of starts, for Prometheus.',
  ...requireRole('viewer'),
  responses: {
    200: { description: 'In its text format.', content: { 'text/plain': { schema: z.string() } } },
    ...failures,
  },
});

export const platformRoutes = ({ platform }: ApiContext): ApiRoutes =>
  newRoutes()
    .openapi(statusRoute, () => {
      const { directory, phase, startedAt, conditions, broken, clusters, components, programs } = platform.view();
      return jsonStream({ directory, phase, startedAt, conditions, broken, clusters, components, programs }) as never;
    })
    .openapi(summaryRoute, (c) => c.json(summaryOf(platform.view()), 200))
    .openapi(topologyRoute, (c) => {
      const { cluster } = c.req.valid('query');
      const view = platform.view();
      if (cluster === undefined) return c.json(topologyOf(view), 200);
      if (!statusByName(view.clusters).has(cluster))
        throw notFound(`cluster ${cluster}`, 'GET /api/v1/clusters lists them');
      return c.json(topologyOfCluster(view, cluster), 200);
    })
    .openapi(metricsRoute, (c) =>
      c.text(exposition(platformFamilies(platform.view())), 200, { 'content-type': expositionType }),
    )
    .openapi(componentsRoute, () => jsonStream({ items: platform.view().components }) as never);

function summaryOf(view: PlatformView): Summary {
  const { directory, phase, startedAt, broken, programs, plan, clusters, findings } = view;
  return {
    ...plan?.platform,
    ...{ directory, phase, startedAt, broken, programs },
    clusters: countOf(clusters),
    findings: summarize(findings),
  };
}

const countOf = memo((clusters: PlatformView['clusters']) => ({
  ready: clusters.filter(({ ready }) => ready).length,
  starting: clusters.filter(({ phase }) => phase === 'starting').length,
  total: clusters.length,
}));
