// What is rendered from the plan, as causeway render writes it.

import path from 'node:path';
import { createRoute, z } from '@hono/zod-openapi';
import { memoLast } from '../../core/memo.ts';
import type { Model } from '../../model/schema/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { artefacts as known, type RenderedFile, renderPlan } from '../../render/index.ts';
import { type ApiContext, type ApiRoutes, failures, needs, newRoutes, reading } from '../context.ts';
import { notFound } from '../problems.ts';
import { artefacts } from '../schema/artefacts.ts';
import { planned } from './network.ts';

const tag = 'artefacts';
const names = known.map(({ name }) => name) as [string, ...string[]];

const listRoute = reading({ tag, path: '/artefacts', summary: 'What there is to download.', answer: artefacts });
const fileRoute = createRoute({
  method: 'get',
  path: '/artefacts/{name}/{file}',
  tags: [tag],
  summary: 'One file; slashes in its path are written as %2F.',
  ...needs('viewer'),
  request: {
    params: z.object({
      name: z.enum(names).describe('Artefact.'),
      file: z.string().min(1).max(300).describe('Its file.'),
    }),
  },
  responses: {
    200: { description: 'The file.', content: { 'application/octet-stream': { schema: { type: 'string' } } } },
    ...failures,
  },
});

export const artefactRoutes = ({ platform }: ApiContext): ApiRoutes =>
  newRoutes()
    .openapi(listRoute, (c) => {
      const files = Map.groupBy(rendered(platform.view()), ({ artefact }) => artefact);
      const items = known.map(({ name, title }) => ({ name, title, files: (files.get(name) ?? []).map(fileEntry) }));
      return c.json({ items }, 200);
    })
    .openapi(fileRoute, (c) => {
      const { name, file } = c.req.valid('param');
      const found = rendered(platform.view()).find((one) => one.artefact === name && one.path === file);
      if (found === undefined) throw notFound(`file ${file} of ${name}`, 'GET /api/v1/artefacts lists them');
      return c.body(found.text, 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${path.posix.basename(found.path)}"`,
      });
    });

const remembered = memoLast<Plan, readonly RenderedFile[]>();

function rendered(view: {
  readonly plan: Plan | undefined;
  readonly model: Model | undefined;
}): readonly RenderedFile[] {
  const [plan, model] = [planned(view.plan), planned(view.model)];
  return remembered(plan, [model], () => renderPlan(plan, model));
}

const fileEntry = ({ artefact, path: file, text }: RenderedFile) => ({
  path: file,
  bytes: Buffer.byteLength(text),
  url: `/api/v1/artefacts/${artefact}/${encodeURIComponent(file)}`,
});
