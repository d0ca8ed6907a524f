// Clusters: list, detail, live connections, kubeconfigs, what lets a machine join.

import { createRoute } from '@hono/zod-openapi';
import type { IssuedKubeconfig } from '../../control-plane/index.ts';
import { durationMs } from '../../core/duration.ts';
import { kubeconfigIdHeader } from '../../core/lifetimes.ts';
import { suggestion } from '../../core/suggest.ts';
import type { ClusterStatus } from '../../platform/index.ts';
import { accountOf, allows, authorize, type Identity, requireRole, requireRoleAndJson } from '../auth/rbac.ts';
import {
  type ApiContext,
  type ApiRoutes,
  bodyFailures,
  failures,
  json,
  jsonBody,
  newRoutes,
  reading,
} from '../context.ts';
import { notFound } from '../problems.ts';
import {
  clusterDetail,
  clusterParams,
  clusterRow,
  connections,
  evictionDone,
  evictionParams,
  evictionRequest,
  evictions,
  joining,
  joinRequest,
  kubeconfigQuery,
  kubernetesVersions,
} from '../schema/clusters.ts';
import { pageOf, pageQuery } from '../schema/common.ts';
import { credentialId, issuedKubeconfigs } from '../schema/session.ts';
import * as views from '../views/clusters.ts';
import { pageOfItems } from '../views/paging.ts';

const tag = 'clusters';

const listRoute = reading({
  tag,
  path: '/clusters',
  summary: 'Clusters with their state, page by page.',
  answer: pageOf(clusterRow).openapi('ClusterPage'),
  request: { query: pageQuery },
});
const versionsRoute = reading({
  tag,
  path: '/kubernetes-versions',
  summary: 'Versions of Kubernetes that a cluster can have.',
  answer: kubernetesVersions,
});
const detailRoute = reading({
  tag,
  path: '/clusters/{name}',
  summary: 'One cluster with its whole way.',
  answer: clusterDetail,
  request: { params: clusterParams },
});
const connectionsRoute = reading({
  tag,
  path: '/clusters/{name}/connections',
  summary: 'Its connections that are open now.',
  answer: connections,
  request: { params: clusterParams },
});
const kubeconfigRoute = createRoute({
  method: 'get',
  path: '/clusters/{name}/kubeconfig',
  tags: [tag],
  summary: 'A kubeconfig. That of an administrator takes the role admin.',
  ...requireRole('viewer'),
  request: { params: clusterParams, query: kubeconfigQuery },
  responses: {
    200: { description: 'The kubeconfig.', content: { 'application/yaml': { schema: { type: 'object' } } } },
    ...failures,
  },
});

const kubeconfigsRoute = reading({
  tag,
  path: '/clusters/{name}/kubeconfigs',
  summary: 'Kubeconfigs that were given away and have not ended: your own, or all of them for the role admin.',
  answer: issuedKubeconfigs,
  request: { params: clusterParams },
});
const revokeRoute = createRoute({
  method: 'delete',
  path: '/clusters/{name}/kubeconfigs/{id}',
  tags: [tag],
  summary: 'Revokes a kubeconfig: its requests are refused from now on. Those of others take the role admin.',
  ...requireRole('viewer'),
  request: { params: clusterParams.extend({ id: credentialId }) },
  responses: { 204: { description: 'Revoked.' }, ...failures },
});

/** A node sees the secrets of the pods on it, so whoever lets one in is an administrator. */
const joinRoute = createRoute({
  method: 'post',
  path: '/clusters/{name}/join',
  tags: [tag],
  summary: 'All that a machine needs to become a worker, with a token that ends. Takes the role admin.',
  ...requireRoleAndJson('admin'),
  request: { params: clusterParams, body: jsonBody(joinRequest) },
  responses: { 200: json(joining, 'What the machine needs.'), ...bodyFailures },
});

const evictionsRoute = reading({
  tag,
  path: '/clusters/{name}/evictions',
  summary: 'Nodes that are shut out of it.',
  answer: evictions,
  request: { params: clusterParams },
});
const evictRoute = createRoute({
  method: 'post',
  path: '/clusters/{name}/evictions',
  tags: [tag],
  summary: 'Shuts a node out: its agent and its kubelet, from now on. Takes the role admin.',
  ...requireRoleAndJson('admin'),
  request: { params: clusterParams, body: jsonBody(evictionRequest) },
  responses: { 200: json(evictionDone, 'The gateway refuses it.'), ...bodyFailures },
});
const readmitRoute = createRoute({
  method: 'delete',
  path: '/clusters/{name}/evictions/{node}',
  tags: [tag],
  summary: 'Lets a node in again, by tokens that are issued from now on. Takes the role admin.',
  ...requireRole('admin'),
  request: { params: evictionParams },
  responses: { 204: { description: 'It may come in again.' }, ...failures },
});

export function clusterRoutes({ platform }: ApiContext): ApiRoutes {
  const find = (name: string): ClusterStatus => {
    const known = views.statusByName(platform.view().clusters);
    const status = known.get(name);
    if (status === undefined) throw notFound(`cluster "${name}"`, suggestion(name, [...known.keys()]));
    return status;
  };
  /** Nobody learns of those of others, except administrators. */
  const visible = async (name: string, who: Identity): Promise<readonly IssuedKubeconfig[]> =>
    (await platform.kubeconfigs(name)).filter(({ person }) => allows(who, 'admin') || person === accountOf(who));
  return newRoutes()
    .openapi(listRoute, (c) => {
      const view = platform.view();
      const listed = {
        items: view.clusters,
        keyOf: ({ name }: ClusterStatus) => name,
        textOf: (status: ClusterStatus) => views.clusterText(view, status),
      };
      const page = pageOfItems(listed, c.req.valid('query'));
      return c.json({ ...page, items: page.items.map((status) => views.clusterRow(view, status)) }, 200);
    })
    .openapi(versionsRoute, async (c) => c.json(await platform.kubernetesVersions(), 200))
    .openapi(detailRoute, (c) => c.json(views.clusterDetail(platform.view(), find(c.req.valid('param').name)), 200))
    .openapi(connectionsRoute, async (c) => {
      const { name } = find(c.req.valid('param').name);
      return c.json({ items: await platform.connections(name) }, 200);
    })
    .openapi(kubeconfigRoute, async (c) => {
      const { name } = find(c.req.valid('param').name);
      const { role, ttl } = c.req.valid('query');
      if (role === 'admin') authorize(c.get('identity'), 'admin');
      const person = accountOf(c.get('identity') as Identity);
      const { id, text } = await platform.kubeconfig(name, { person, role, ttlMs: durationMs(ttl) });
      return c.body(text, 200, {
        [kubeconfigIdHeader]: id,
        'content-type': 'application/yaml; charset=utf-8',
        'content-disposition': `attachment; filename="${name}-${role}.kubeconfig"`,
      });
    })
    .openapi(kubeconfigsRoute, async (c) => {
      const { name } = find(c.req.valid('param').name);
      return c.json({ items: await visible(name, c.get('identity') as Identity) }, 200);
    })
    .openapi(revokeRoute, async (c) => {
      const { name, id } = c.req.valid('param');
      const known = (await visible(find(name).name, c.get('identity') as Identity)).some((one) => one.id === id);
      if (!known || !(await platform.revokeKubeconfig(name, id)))
        throw notFound(`kubeconfig "${id}" of ${name}`, `GET /api/v1/clusters/${name}/kubeconfigs lists them`);
      return c.body(null, 204);
    })
    .openapi(evictionsRoute, (c) => {
      const { name } = find(c.req.valid('param').name);
      return c.json({ items: platform.evictedNodes(name).map((one) => ({ ...one })) }, 200);
    })
    .openapi(evictRoute, async (c) => {
      const { name } = find(c.req.valid('param').name);
      return c.json(await platform.evictNode(name, c.req.valid('json').node), 200);
    })
    .openapi(readmitRoute, async (c) => {
      const { name, node } = c.req.valid('param');
      if (!(await platform.readmitNode(find(name).name, node)))
        throw notFound(`evicted node "${node}" of ${name}`, `GET /api/v1/clusters/${name}/evictions lists them`);
      return c.body(null, 204);
    })
    .openapi(joinRoute, async (c) => {
      const { name } = find(c.req.valid('param').name);
      return c.json(await platform.join(name, durationMs(c.req.valid('json').ttl) ?? 0), 200);
    });
}
