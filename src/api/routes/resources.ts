// The manifests, document by document: read, changed with optimistic locking, tried out, removed.

import { createRoute } from '@hono/zod-openapi';
import type { LoadedDocument } from '../../model/load/index.ts';
import type { Kind } from '../../model/schema/index.ts';
import { requireRole, requireRoleAndJson } from '../auth/rbac.ts';
import { type ApiContext, type ApiRoutes, bodyFailures, json, jsonBody, newRoutes, reading } from '../context.ts';
import { type ChangeRequest, createEditor } from '../manifests/editor.ts';
import type { DocumentId } from '../manifests/file-changes.ts';
import { createManifestStore, etagOf } from '../manifests/manifest-store.ts';
import { ApiError, notFound } from '../problems.ts';
import { pageOf, pageQuery, problem } from '../schema/common.ts';
import * as schema from '../schema/resources.ts';
import { findingsAbout, listedDocuments } from '../views/documents.ts';
import { pageOfItems } from '../views/paging.ts';

const tag = 'resources';
const path = '/resources/{kind}/{name}';
const writeFailures = {
  ...bodyFailures,
  412: json(problem, 'It has changed since it was read, or exists although it should be new.'),
  422: json(problem, 'The manifests would have errors; nothing was written.'),
  428: json(problem, 'If-Match is missing.'),
} as const;

const listRoute = reading({
  tag,
  path: '/resources/{kind}',
  summary: 'Documents of a kind, page by page.',
  answer: pageOf(schema.resourceItem).openapi('ResourcePage'),
  request: { params: schema.kindParams, query: pageQuery },
});
const getRoute = reading({
  tag,
  path,
  summary: 'One document; its etag is in the answer and in the header.',
  answer: schema.resourceItem,
  request: { params: schema.resourceParams },
});
const putRoute = createRoute({
  method: 'put',
  path,
  tags: [tag],
  summary:
    'Create or change a document. Fields that name secrets, files, endpoints, authorities or logins, and the Platform, take the role admin.',
  ...requireRoleAndJson('operator'),
  request: {
    params: schema.resourceParams,
    query: schema.writeQuery,
    headers: schema.putConditions,
    body: jsonBody(schema.resource),
  },
  responses: {
    200: json(schema.putAnswer, 'Changed; or, with dryRun, what would happen.'),
    201: json(schema.resourceItem, 'Created.'),
    ...writeFailures,
  },
});
const deleteRoute = createRoute({
  method: 'delete',
  path,
  tags: [tag],
  summary: 'Remove a document; of a Cluster everything that it keeps goes too.',
  ...requireRole('admin'),
  request: { params: schema.resourceParams, query: schema.writeQuery, headers: schema.ifMatch },
  responses: {
    200: json(schema.dryRun, 'With dryRun: what would happen.'),
    204: { description: 'Removed.' },
    ...writeFailures,
  },
});

export function resourceRoutes({ platform, now }: ApiContext): ApiRoutes {
  const store = createManifestStore(platform.view().directory, platform.memory);
  const editor = createEditor(platform, store, now);
  const itemOf = (document: LoadedDocument): schema.ResourceItem => ({
    resource: document.value as schema.ResourceBody,
    etag: etagOf(document),
    file: document.file,
    line: document.linesBefore + 1,
    findings: findingsAbout(platform.view().findings, document.resource ?? '').length,
  });
  const find = async (id: DocumentId): Promise<schema.ResourceItem> => {
    const document = await store.find(platform.view(), id);
    if (document?.value === undefined)
      throw notFound(`${id.kind}/${id.name}`, `GET /api/v1/resources/${id.kind} lists them`);
    return itemOf(document);
  };
  return newRoutes()
    .openapi(listRoute, async (c) => {
      const { loaded } = await store.seen(platform.view());
      const page = pageOfItems(listedDocuments(loaded, c.req.valid('param').kind), c.req.valid('query'));
      return c.json({ ...page, items: page.items.map(itemOf) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const item = await find(c.req.valid('param'));
      return c.json(item, 200, { etag: item.etag });
    })
    .openapi(putRoute, async (c) => {
      const id = c.req.valid('param');
      const body = c.req.valid('json');
      assertAbout(id, body);
      const { 'if-match': ifMatch, 'if-none-match': none } = c.req.valid('header');
      const request: ChangeRequest = { id, who: c.get('identity'), ifMatch, isNew: none !== undefined };
      if (c.req.valid('query').dryRun === 'true') return c.json(await editor.tryApply(request, body), 200);
      const isNew = await editor.apply(request, body);
      const item = await find(id);
      return isNew ? c.json(item, 201, { etag: item.etag }) : c.json(item, 200, { etag: item.etag });
    })
    .openapi(deleteRoute, async (c) => {
      const id = c.req.valid('param');
      const request: ChangeRequest = { id, who: c.get('identity'), ifMatch: c.req.valid('header')['if-match'] };
      if (c.req.valid('query').dryRun === 'true') return c.json(await editor.tryRemove(request), 200);
      await editor.remove(request);
      return c.body(null, 204);
    });
}

function assertAbout({ kind, name }: { kind: Kind; name: string }, body: schema.ResourceBody): void {
  if (body.kind === kind && body.metadata.name === name) return;
  const message = `the body is about ${body.kind}/${body.metadata.name}, the address about ${kind}/${name}`;
  throw new ApiError(422, 'CW-API-REQUEST', message.slice(0, 300), 'use the same kind and name in both');
}
